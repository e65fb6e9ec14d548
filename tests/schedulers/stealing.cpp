// SPDX-License-Identifier: BSD-3-Clause
#include "starpu_run.hpp"

#include "schedulers/hint.hpp"

#include <array>
#include <atomic>
#include <thread>

/// The policy skelrt with hints: obeyed while all is well, overruled when a worker is late.

using namespace skelrt::schedulers;

namespace
{

std::atomic<bool> blocked{false};
std::atomic<int> done{0};

struct square {
    int value, result = 0, worker = -1;
};

void block(void*[], void*)
{
    while (blocked) std::this_thread::yield();
}
void compute(void*[], void* argument)
{
    auto& s = *static_cast<square*>(argument);
    s.result = s.value * s.value;
    s.worker = starpu_worker_get_id();
    ++done;
}

starpu_codelet make(starpu_cpu_func_t what, const char* name)
{
    starpu_codelet c;
    starpu_codelet_init(&c);
    c.cpu_funcs[0] = what;
    c.name = name;
    return c;
}

void submit(starpu_codelet& codelet, void* argument, placement_hint& hint)
{
    starpu_task* t = starpu_task_create();
    t->cl = &codelet;
    t->cl_arg = argument;
    t->cl_arg_size = sizeof(square);
    t->sched_data = &hint;
    REQUIRE(starpu_task_submit(t) == 0);
}

/// Twelve tasks for worker 0, of which the first `bound` may not move, behind one that does not end. Returns when the
/// others are done or `most` is reached.
struct crowd {
    std::array<square, 12> tasks;
    std::array<placement_hint, 12> hints;
    std::array<worker_cost, 2> both{{{0, 10, 1}, {1, 10, 1}}};
    placement_hint of_blocker;
    starpu_codelet blocker = make(block, "block"), worker = make(compute, "compute");

    void submit_all(std::size_t bound, const std::atomic<bool>* arrived)
    {
        blocked = true;
        done = 0;
        of_blocker.worker = 0;
        of_blocker.expected_us = 5;
        submit(blocker, nullptr, of_blocker);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            tasks[i].value = static_cast<int>(i);
            hints[i].worker = 0;
            hints[i].elements = 20;
            hints[i].expected_us = 30;
            hints[i].arrived = arrived;
            if (i >= bound) hints[i].others = both;
            submit(worker, &tasks[i], hints[i]);
        }
    }
    static void finish()
    {
        blocked = false;
        starpu_task_wait_for_all();
    }
    void require_results() const
    {
        for (const square& s : tasks) REQUIRE(s.result == s.value * s.value);
    }
};

} // namespace

TEST_CASE("others take the movable tasks of a worker that does not come to them", "[steal]")
{
    crowd c;
    const starpu_run run("skelrt", 2);
    c.submit_all(4, nullptr);
    while (done < 8) std::this_thread::yield(); // hangs, were they not stolen
    REQUIRE(blocked);
    crowd::finish();
    c.require_results();
    for (std::size_t i = 0; i < 12; ++i) REQUIRE(c.tasks[i].worker == (i < 4 ? 0 : 1));
}

TEST_CASE("nothing is taken while tasks of the same plan still arrive", "[steal]")
{
    crowd c;
    std::atomic<bool> arrived{false};
    const starpu_run run("skelrt", 2);
    c.submit_all(0, &arrived);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    REQUIRE(done == 0);
    arrived = true;
    while (done < 12) std::this_thread::yield();
    crowd::finish();
    c.require_results();
}

TEST_CASE("hints that nobody else may take are obeyed", "[steal]")
{
    crowd c;
    const starpu_run run("skelrt", 2);
    c.submit_all(12, nullptr);
    crowd::finish();
    c.require_results();
    for (const square& s : c.tasks) REQUIRE(s.worker == 0);
}

TEST_CASE("tasks without a hint find idle workers", "[steal]")
{
    crowd c;
    const starpu_run run("skelrt", 2);
    blocked = true;
    done = 0;
    std::array<starpu_task*, 12> submitted{};
    c.of_blocker.worker = 0;
    submit(c.blocker, nullptr, c.of_blocker);
    for (std::size_t i = 0; i < submitted.size(); ++i) {
        starpu_task* t = starpu_task_create();
        t->cl = &c.worker;
        c.tasks[i].value = static_cast<int>(i);
        t->cl_arg = &c.tasks[i];
        t->cl_arg_size = sizeof(square);
        REQUIRE(starpu_task_submit(t) == 0);
    }
    while (done < 12) std::this_thread::yield();
    REQUIRE(blocked);
    crowd::finish();
    c.require_results();
}
