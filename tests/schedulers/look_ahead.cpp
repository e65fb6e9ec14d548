// SPDX-License-Identifier: BSD-3-Clause
#include "starpu_run.hpp"

#include "schedulers/queues/worker_queue.hpp"

#include <array>
#include <vector>

/// Which tasks of a queue the policy skelrt sends data for, and who may not take them meanwhile.

using namespace skelrt::schedulers;

namespace
{

/// A queue of tasks that nobody runs.
struct waiting {
    const starpu_run run{"skelrt", 1};
    std::array<starpu_task, 5> tasks;
    worker_queue queue;

    waiting()
    {
        for (starpu_task& t : tasks) starpu_task_init(&t);
    }
    ~waiting()
    {
        for (starpu_task& t : tasks) starpu_task_clean(&t);
    }
    waiting(const waiting&) = delete;
    waiting& operator=(const waiting&) = delete;

    void push(std::size_t task, bool fetched = false)
    {
        worker_queue::entry e{&tasks[task], 10};
        e.movable = true;
        e.fetched = fetched;
        queue.push(e);
    }
    /// The number of a task; -1: none.
    int number(const starpu_task* t) const { return t ? static_cast<int>(t - tasks.data()) : -1; }
    int hold(std::size_t window) { return number(queue.hold_unfetched(window)); }
    int stolen()
    {
        return number(queue.take_from_end(0, [](const worker_queue::entry&, double, bool) { return true; }));
    }
};

} // namespace

TEST_CASE("the first of the next tasks whose data nobody sent for is held, each once", "[look-ahead]")
{
    waiting w;
    REQUIRE(w.hold(8) == -1);
    w.push(0, true);
    w.push(1);
    w.push(2, true);
    w.push(3);
    w.push(4);
    REQUIRE(w.hold(1) == -1);
    REQUIRE(w.hold(4) == 1);
    REQUIRE(w.hold(4) == 3);
    REQUIRE(w.hold(4) == -1); // the fifth is too far away
    REQUIRE(w.number(w.queue.pop(0)) == 0);
    REQUIRE(w.hold(4) == 4); // and comes nearer
    REQUIRE(w.hold(8) == -1);
}

TEST_CASE("nobody takes a task away while its data is sent for", "[look-ahead]")
{
    waiting w;
    for (std::size_t i = 0; i < 3; ++i) w.push(i, i != 2);
    REQUIRE(w.hold(8) == 2);
    REQUIRE(w.stolen() == 1);
    w.queue.release(w.tasks[2]);
    REQUIRE(w.stolen() == 2);
    REQUIRE(w.stolen() == 0);
    REQUIRE(w.stolen() == -1);
}
