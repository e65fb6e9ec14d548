// SPDX-License-Identifier: BSD-3-Clause
#include "tests/misuse/misuse.hpp"
#include "tests/tasks_run.hpp"

#include "src/model/knowledge.hpp"
#include "src/runtime/running.hpp"

#include <catch2/catch.hpp>

/// A device whose model says wrongly that it is slow gets work again, whatever the policy makes of models.

using namespace skelrt::detail;

namespace
{

/// Dear enough that the way to the device is no reason to leave it idle.
const auto dear = sk::map(SKELRT_FN((float a) {
    float x = a;
    for (int i = 0; i < 100; ++i) x = x * 0.999f + 0.001f * a;
    return x;
}));

/// What is known of the one function of this program.
std::pair<std::uint64_t, codelet_runs> the_model()
{
    const history all = running::current()->learnt.models.runs();
    REQUIRE(all.size() == 1);
    return *all.begin();
}

double typical_us(executor on) { return the_model().second[on].points().at(0).us; }

/// As if a device's last runs had all been so slow.
void poison(executor on, double us)
{
    const auto& [key, runs] = the_model();
    const run last = runs[executor::core].runs().back();
    history wild;
    for (std::size_t i = 0; i < curve::kept_runs; ++i)
        wild[key][on].add({last.elements, us, runs.newest() + static_cast<std::int64_t>(i) + 1});
    running::current()->learnt.models.learn(wild);
}

} // namespace

TEST_CASE("a device whose model went wrong is tried again, and its model put right", "[starved]")
{
    const char* policy = GENERATE("dmda", "dmdas", "pheft", "heft-tmdp");
    CAPTURE(policy);
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    sk::options o;
    o.cpu_cores = 2;
    o.cuda_devices = 0;
    o.opencl_on_cpu = true;
    o.tiles = 8;
    o.policy = policy;
    const sk::runtime rt(o);
    if (rt.devices().size() < 2) {
        WARN("no OpenCL device: nothing to starve");
        return;
    }
    sk::forget_models();
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    sk::vector<float> x(8 * 1024, 0.5f), y(8 * 1024);
    const auto call = [&] {
        y = dear(x);
        sk::wait(y);
    };
    {
        const sk::only cores(sk::device::cpu);
        for (int i = 0; i < 20; ++i) call();
    }
    constexpr double wild = 30; // times as slow as a core
    const double wild_us = wild * typical_us(executor::core);
    poison(executor::opencl, wild_us);
    static_cast<void>(tasks_run(STARPU_OPENCL_WORKER)); // from here on they count
    // A try costs as much as 7 calls of 8 tiles on 2 cores; a hundred times as many pay for it.
    constexpr int most = 10'000;
    int calls = 0;
    for (unsigned long tasks = 0; tasks == 0; tasks = tasks_run(STARPU_OPENCL_WORKER)) {
        call();
        REQUIRE(++calls < most);
    }
    // Then again, until most of the last runs are right.
    while (typical_us(executor::opencl) > wild_us / 2) {
        call();
        REQUIRE(++calls < 5 * most);
    }
}
