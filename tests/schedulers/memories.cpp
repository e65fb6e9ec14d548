// SPDX-License-Identifier: BSD-3-Clause
#include "starpu_run.hpp"

#include "schedulers/hint.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// What policies make of data that lies on another memory node: OpenCL's device has one of its own, be it PoCL.

using namespace skelrt::schedulers;

namespace
{

int ran_on = -1;

void note(void*[], void*) { ran_on = starpu_worker_get_type(starpu_worker_get_id()); }

/// The device takes a hundredth of a core's time, a microsecond. No link carries much in the difference, however it was
/// measured beside other work.
starpu_perfmodel& faster_on_the_device()
{
    static starpu_perfmodel model = [] {
        starpu_perfmodel m{};
        m.type = STARPU_PER_WORKER;
        m.symbol = "faster_on_the_device";
        m.worker_cost_function = [](starpu_task*, unsigned worker, unsigned) {
            return starpu_worker_get_type(static_cast<int>(worker)) == STARPU_OPENCL_WORKER ? 1.0 : 1000.0;
        };
        return m;
    }();
    return model;
}

/// One core and a device, and tasks that read a vector each and do nothing.
class two_memories
{
public:
    two_memories(const char* policy, std::size_t vectors, std::size_t bytes)
        : run_(policy, 1, 1), data_(vectors, std::vector<char>(bytes)), handles_(vectors)
    {
        starpu_codelet_init(&codelet_);
        codelet_.cpu_funcs[0] = codelet_.opencl_funcs[0] = note;
        codelet_.nbuffers = 1;
        codelet_.modes[0] = STARPU_R;
        codelet_.model = &faster_on_the_device();
        for (std::size_t i = 0; i < vectors; ++i)
            starpu_vector_data_register(&handles_[i], STARPU_MAIN_RAM,
                                        reinterpret_cast<std::uintptr_t>(data_[i].data()), bytes, 1);
    }
    ~two_memories()
    {
        starpu_task_wait_for_all();
        for (starpu_data_handle_t h : handles_) starpu_data_unregister(h);
    }
    two_memories(const two_memories&) = delete;
    two_memories& operator=(const two_memories&) = delete;

    /// -1: there is none.
    static int device() { return starpu_worker_get_by_type(STARPU_OPENCL_WORKER, 0); }
    /// StarPU counts devices first, then cores.
    static int core() { return starpu_worker_get_by_type(STARPU_CPU_WORKER, 0); }

    void submit(std::size_t vector, placement_hint* hint = nullptr)
    {
        starpu_task* t = starpu_task_create();
        t->cl = &codelet_;
        t->handles[0] = handles_[vector];
        t->sched_data = hint;
        REQUIRE(starpu_task_submit(t) == 0);
    }

    /// How many of the vectors are on the device, or were sent for.
    std::size_t on_the_way() const
    {
        const auto node = static_cast<int>(starpu_worker_get_memory_node(static_cast<unsigned>(device())));
        std::size_t n = 0;
        for (starpu_data_handle_t h : handles_) {
            int valid = 0, loading = 0, requested = 0;
            starpu_data_query_status2(h, node, nullptr, &valid, &loading, &requested);
            if (valid || loading || requested) ++n;
        }
        return n;
    }

private:
    starpu_run run_;
    std::vector<std::vector<char>> data_;
    std::vector<starpu_data_handle_t> handles_;
    starpu_codelet codelet_;
};

bool no_device()
{
    if (two_memories::device() >= 0) return false;
    WARN("no OpenCL device: there is one memory only");
    return true;
}

} // namespace

TEST_CASE("heft-tmdp counts the way of the data, heft-tm does not", "[memories]")
{
    const auto& [policy, counts] = GENERATE(table<const char*, bool>(
        {{"heft-tm", false}, {"heft-tm-pr", false}, {"heft-tmdp", true}, {"heft-tmdp-pr", true}}));
    CAPTURE(policy);
    two_memories m(policy, 1, 64 << 20); // 1000 us are not enough for it
    if (no_device()) return;
    m.submit(0);
    starpu_task_wait_for_all();
    REQUIRE(ran_on == (counts ? STARPU_CPU_WORKER : STARPU_OPENCL_WORKER));
    if (counts) return;
    m.submit(0); // it is there now
    starpu_task_wait_for_all();
    REQUIRE(ran_on == STARPU_OPENCL_WORKER);
}

TEST_CASE("-pr sends for the data of tasks that wait, heft-tm and heft-tmdp do not", "[memories]")
{
    const auto& [policy, fetches] = GENERATE(table<const char*, bool>(
        {{"heft-tm", false}, {"heft-tm-pr", true}, {"heft-tmdp", false}, {"heft-tmdp-pr", true}}));
    CAPTURE(policy);
    two_memories m(policy, 3, 16);
    if (no_device()) return;
    const paused hold;
    for (std::size_t i = 0; i < 3; ++i) m.submit(i);
    REQUIRE(m.on_the_way() == (fetches ? 3 : 0));
}

TEST_CASE("skelrt sends for the data of a worker's next eight tasks, and of no more", "[memories]")
{
    placement_hint hint;
    two_memories m("skelrt", 12, 16);
    if (no_device()) return;
    hint.worker = two_memories::device();
    {
        const paused hold;
        for (std::size_t i = 0; i < 12; ++i) m.submit(i, &hint);
        REQUIRE(m.on_the_way() == 8);
    }
    starpu_task_wait_for_all();
    REQUIRE(m.on_the_way() == 12);
}

TEST_CASE("an open task goes to the cores or to the device, where its hint says that it ends first", "[memories]")
{
    const bool device_is_faster = GENERATE(false, true);
    two_memories m("skelrt", 1, 16);
    if (no_device()) return;
    const std::array<worker_cost, 2> costs{{{two_memories::core(), device_is_faster ? 1e9 : 1.0, 0},
                                            {two_memories::device(), device_is_faster ? 1.0 : 1e9, 0}}};
    placement_hint open;
    open.others = costs;
    m.submit(0, &open);
    starpu_task_wait_for_all();
    REQUIRE(ran_on == (device_is_faster ? STARPU_OPENCL_WORKER : STARPU_CPU_WORKER));
}

TEST_CASE("an open task goes elsewhere while who is faster has work that no queue tells of", "[memories]")
{
    const bool device_is_busy = GENERATE(false, true);
    two_memories m("skelrt", 1, 16);
    if (no_device()) return;
    const double free_us = device_is_busy ? starpu_timing_now() + 1e9 : 0;
    const std::array<worker_cost, 2> costs{{{two_memories::core(), 1e6, 0}, {two_memories::device(), 1.0, 0, free_us}}};
    placement_hint open;
    open.others = costs;
    m.submit(0, &open);
    starpu_task_wait_for_all();
    REQUIRE(ran_on == (device_is_busy ? STARPU_CPU_WORKER : STARPU_OPENCL_WORKER));
}

TEST_CASE("an open task stays with those whom its hint names", "[memories]")
{
    two_memories m("skelrt", 1, 16);
    if (no_device()) return;
    const std::array<worker_cost, 1> core{{{two_memories::core(), 1e9, 0}}};
    placement_hint open;
    open.others = core;
    for (int k = 0; k < 20; ++k) {
        m.submit(0, &open); // by StarPU's model the device would be sooner
        starpu_task_wait_for_all();
        REQUIRE(ran_on == STARPU_CPU_WORKER);
    }
}
