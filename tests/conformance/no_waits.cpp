// SPDX-License-Identifier: BSD-3-Clause
/// Conjugate gradients on a device: the host waits for nothing in the loop, and nothing goes home.
/// SKELRT_TEST_DEVICE=cuda|opencl; exit code 77 without such a device.

#include "apps/cg/kernel.hpp"

#include "../copied.hpp"
#include "run_cases.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace sk = skelrt;

namespace
{

constexpr std::size_t side = 200;

sk::device kind = sk::device::opencl;
sk::runtime* the_runtime = nullptr;

starpu_worker_archtype worker_kind() { return kind == sk::device::cuda ? STARPU_CUDA_WORKER : STARPU_OPENCL_WORKER; }

cg::grid some_right_side()
{
    cg::grid b(side, side);
    const auto view = sk::host(b);
    for (std::size_t i = 0; i < side * side; ++i) view.data()[i] = static_cast<double>(i % 17) - 8;
    return b;
}

/// Keeps the device's worker from everything else until it is told to go on, or thinks that nobody will.
class blocked_worker
{
public:
    blocked_worker()
    {
        starpu_codelet_init(&codelet_);
        codelet_.cuda_funcs[0] = codelet_.opencl_funcs[0] = &wait_here;
        codelet_.name = "blocks its worker";
        starpu_task* const t = starpu_task_create();
        t->cl = &codelet_;
        t->cl_arg = this;
        t->cl_arg_size = sizeof *this;
        t->execute_on_a_specific_worker = 1;
        t->workerid = static_cast<unsigned>(starpu_worker_get_by_type(worker_kind(), 0));
        REQUIRE(starpu_task_submit(t) == 0);
        while (!begun_) std::this_thread::yield();
    }
    ~blocked_worker()
    {
        go_on();
        starpu_task_wait_for_all();
    }
    blocked_worker(const blocked_worker&) = delete;
    blocked_worker& operator=(const blocked_worker&) = delete;

    void go_on() { told_ = true; }
    /// Nobody told it to go on: they waited for it.
    bool gave_up() const { return gave_up_; }

private:
    static void wait_here(void**, void* argument)
    {
        constexpr std::chrono::seconds patience{20};
        auto& self = *static_cast<blocked_worker*>(argument);
        const auto end = std::chrono::steady_clock::now() + patience;
        self.begun_ = true;
        while (!self.told_ && !self.gave_up_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (std::chrono::steady_clock::now() > end) self.gave_up_ = true;
        }
    }

    starpu_codelet codelet_;
    std::atomic<bool> begun_{false}, told_{false}, gave_up_{false};
};

} // namespace

TEST_CASE("steps go on while their device does not answer", "[no_waits]")
{
    const sk::only there(kind);
    const auto b = some_right_side();
    cg::solver s(b);
    s.steps(3); // kernels are built now, and everything is there
    the_runtime->wait();
    const double before = s.rr();
    blocked_worker device;
    s.steps(10);
    CHECK_FALSE(device.gave_up());
    device.go_on();
    CHECK(s.rr() < before);
}

TEST_CASE("between the first step and the last nothing goes home", "[no_waits]")
{
    const sk::only there(kind);
    const auto b = some_right_side();
    cg::solver s(b);
    s.steps(3);
    the_runtime->wait();
    const double before = s.rr();
    copied(worker_kind());
    s.steps(50);
    the_runtime->wait();
    const traffic t = copied(worker_kind());
    CHECK(t.from == 0);
    CHECK(t.to == 0);
    CHECK(s.rr() < before);
    s.bring_home(); // x, r and p: which is counted
    CHECK(copied(worker_kind()).from >= 3 * side * side * sizeof(double));
}

int main(int argc, char** argv)
{
    setenv("STARPU_PROFILING", "1", 1);
    const char* const wanted = std::getenv("SKELRT_TEST_DEVICE");
    if (wanted && std::string(wanted) == "cuda") kind = sk::device::cuda;
    sk::runtime rt;
    the_runtime = &rt;
    for (const sk::device_info& d : rt.devices())
        if (d.kind == kind) return test::run_cases(argc, argv);
    std::printf("skipped: no such device\n");
    return 77;
}
