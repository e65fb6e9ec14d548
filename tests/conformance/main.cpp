// SPDX-License-Identifier: BSD-3-Clause
/// Runs the conformance cases on one kind of device, or on all at once: SKELRT_TEST_DEVICE=cpu|cuda|opencl|all.
/// Tiles, policy and inlining come from SKELRT_TILES, STARPU_SCHED and SKELRT_INLINE_US. Exit code 77: no such device.

#include "run_cases.hpp"
#include "support.hpp"
#include "task_count.hpp"

#include "../tasks_run.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace
{

constexpr int skipped = 77;

constexpr std::array<std::pair<std::string_view, sk::device>, 3> kinds{
    {{"cpu", sk::device::cpu}, {"cuda", sk::device::cuda}, {"opencl", sk::device::opencl}}};

std::string_view wanted_device()
{
    const char* wanted = std::getenv("SKELRT_TEST_DEVICE");
    return wanted && *wanted ? wanted : "cpu";
}

sk::device_set wanted_devices()
{
    for (const auto& [name, kind] : kinds)
        if (wanted_device() == name) return kind;
    if (wanted_device() == "all") return sk::device_set::all();
    return {};
}

sk::device_set under_test;
long devices_under_test = 0;

sk::device_set devices_in_use(const sk::runtime& rt)
{
    sk::device_set all;
    for (const auto& d : rt.devices()) all = all | sk::device_set(d.kind);
    return all;
}

/// Tasks on cores, on CUDA, on OpenCL: StarPU counts from one question to the next.
std::array<unsigned long, 3> done{};

/// Guards against a run that passes because something else did the work.
bool did_the_work(sk::device_set on)
{
    test::tasks_done();
    const auto [cores, cuda, opencl] = done;
    std::printf("tasks: %lu on cores, %lu on CUDA, %lu on OpenCL\n", cores, cuda, opencl);
    if (on == sk::device_set(sk::device::cuda)) return cuda > 0;
    if (on == sk::device_set(sk::device::opencl)) return opencl > 0;
    return true;
}

} // namespace

sk::device_set test::devices() { return under_test; }
bool test::one_device() { return devices_under_test == 1; }

unsigned long test::tasks_done()
{
    done[0] += tasks_run(STARPU_CPU_WORKER);
    done[1] += tasks_run(STARPU_CUDA_WORKER);
    done[2] += tasks_run(STARPU_OPENCL_WORKER);
    return done[0] + done[1] + done[2];
}

int main(int argc, char** argv)
{
    if (wanted_devices().empty()) {
        std::printf("SKELRT_TEST_DEVICE is cpu, cuda, opencl or all\n");
        return 2;
    }
    sk::options wanted;
    wanted.opencl_on_cpu = wanted_devices().has(sk::device::opencl);
    const sk::runtime rt(wanted);
    under_test = wanted_devices() & devices_in_use(rt);
    devices_under_test =
        std::ranges::count_if(rt.devices(), [](const sk::device_info& d) { return under_test.has(d.kind); });
    if (under_test.empty()) {
        std::printf("skipped: there is no device of the kind %s\n", wanted_device().data());
        return skipped;
    }
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    const test::on_devices here;
    const int failures = test::run_cases(argc, argv);
    if (failures == 0 && !did_the_work(under_test)) {
        std::printf("failed: every case passed, but no task ran on the device under test\n");
        return 1;
    }
    return failures;
}
