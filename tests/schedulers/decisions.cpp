// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/backlog.hpp"
#include "schedulers/choose.hpp"
#include "schedulers/hint.hpp"
#include "schedulers/queues/lanes.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

/// What policies decide, as numbers: without StarPU.

using namespace skelrt::schedulers;

namespace
{

constexpr std::uint32_t cpu = 1, gpu = 2;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

const auto any = [](int) { return true; };

std::vector<int> drain(lanes<int>& queue, std::uint32_t kind, bool oldest)
{
    std::vector<int> order;
    while (const auto task = oldest ? queue.take_oldest(kind, any) : queue.take_newest(kind, any))
        order.push_back(*task);
    return order;
}

} // namespace

TEST_CASE("lanes give tasks by age, whoever else could run them", "[queue]")
{
    lanes<int> queue;
    queue.push(cpu, 1);
    queue.push(cpu | gpu, 2);
    queue.push(gpu, 3);
    queue.push(cpu | gpu, 4);
    queue.push(cpu, 5);
    REQUIRE(queue.size() == 5);
    SECTION("oldest first") { REQUIRE(drain(queue, cpu, true) == std::vector<int>{1, 2, 4, 5}); }
    SECTION("newest first") { REQUIRE(drain(queue, cpu, false) == std::vector<int>{5, 4, 2, 1}); }
    REQUIRE(queue.size() == 1);
    REQUIRE(drain(queue, cpu, true).empty());
    REQUIRE(drain(queue, gpu, false) == std::vector<int>{3});
    REQUIRE(queue.size() == 0);
}

TEST_CASE("lanes pass over tasks that the worker may not run, and keep them", "[queue]")
{
    lanes<int> queue;
    for (int i = 1; i <= 6; ++i) queue.push(i % 2 ? cpu : cpu | gpu, i);
    const auto large = [](int task) { return task > 2; };
    REQUIRE(queue.take_oldest(cpu, large) == 3);
    REQUIRE(queue.take_newest(cpu, [](int task) { return task < 5; }) == 4);
    REQUIRE_FALSE(queue.take_oldest(cpu, [](int) { return false; }));
    REQUIRE(drain(queue, cpu, true) == std::vector<int>{1, 2, 5, 6});
}

TEST_CASE("a backlog counts what waits and what is left of what runs", "[backlog]")
{
    backlog work;
    const int a = 0, b = 0;
    REQUIRE(work.remaining(0) == 0);
    work.queued(100);
    work.queued(50);
    work.queued(unknown);
    REQUIRE(work.tasks() == 3);
    REQUIRE(work.remaining(1000) == 150);
    work.unqueued(100);
    work.started(&a, 100, 1000, true);
    REQUIRE(work.tasks() == 3);
    REQUIRE(work.remaining(1030) == 70 + 50);
    work.unqueued(50);
    work.started(&b, 50, 1030, true); // a GPU's next one, which waits for the first
    REQUIRE(work.remaining(1060) == 40 + 50);
    REQUIRE(work.ended(&a, 1090));
    REQUIRE(work.remaining(1100) == 40);
    REQUIRE_FALSE(work.ended(&a, 1100));
    REQUIRE(work.ended(&b, 1140));
    work.unqueued(unknown);
    REQUIRE(work.tasks() == 0);
    REQUIRE(work.remaining(2000) == 0);
}

TEST_CASE("a task that is late is expected to go on for as long again; one that nobody watches is over", "[backlog]")
{
    REQUIRE(remaining_us(100, 30) == 70);
    REQUIRE(remaining_us(100, 100) == 0);
    REQUIRE(remaining_us(100, 5100) == 5000);
    const int a = 0;
    backlog watched, unwatched;
    watched.started(&a, 100, 0, true);
    unwatched.started(&a, 100, 0, false);
    REQUIRE(watched.remaining(5100) == 5000);
    REQUIRE(unwatched.remaining(40) == 60);
    REQUIRE(unwatched.remaining(5100) == 0);
    watched.all_ended();
    REQUIRE(watched.remaining(5100) == 0);
}

TEST_CASE("a backlog counts what a device was left with when its tasks ended", "[backlog]")
{
    const int a = 0, b = 0;
    backlog work;
    work.started(&a, 100, 1000, true);
    work.started(&b, 100, 1000, true);
    REQUIRE(work.ended(&a, 1010, 90));
    REQUIRE(work.remaining(1040) == 60 + 70);
    REQUIRE(work.ended(&b, 1050)); // with its kernels
    REQUIRE(work.remaining(1060) == 40);
    REQUIRE(work.remaining(1200) == 0);
}

TEST_CASE("a backlog forgets what nobody reports as ended", "[backlog]")
{
    const int tasks[6] = {};
    backlog work;
    for (const int& t : tasks) work.started(&t, 10, 0, false);
    REQUIRE(work.tasks() == 4); // what StarPU gives a GPU at once
    REQUIRE_FALSE(work.ended(&tasks[0], 1));
    REQUIRE(work.ended(&tasks[5], 1));
}

TEST_CASE("the earliest end counts load, length and transfer", "[choose]")
{
    std::vector<candidate> all{{0, 0, 100, 50, 0, 3}, {1, 0, 0, 120, 0, 0}, {2, 0, 60, 10, 90, 1}};
    REQUIRE(earliest_end(all) == 1);
    all[1].transfer_us = 40;
    REQUIRE(earliest_end(all) == 0);
    all[2].transfer_us = 0;
    REQUIRE(earliest_end(all) == 2);
}

TEST_CASE("what nobody measured is tried, on the worker with the fewest tasks", "[choose]")
{
    const std::vector<candidate> all{{0, 0, 0, 1, 0, 0}, {1, 0, 500, unknown, 0, 7}, {2, 0, 900, unknown, 0, 4}};
    REQUIRE(earliest_end(all) == 2);
}

TEST_CASE("without models the fewest tasks decide, then the shorter way of the data", "[choose]")
{
    const std::vector<candidate> all{{0, 0, 0, 0, 30, 2}, {1, 0, 0, 0, 80, 1}, {2, 0, 0, 0, 20, 1}};
    REQUIRE(earliest_end(all) == 2);
}

TEST_CASE("a thief takes what it would end sooner, the way of the data there and back counted", "[choose]")
{
    REQUIRE(worth_taking({1000, 500, 0}));
    REQUIRE(worth_taking({1000, 500, 249}));
    REQUIRE_FALSE(worth_taking({1000, 500, 250}));
    REQUIRE_FALSE(worth_taking({1000, 1000, 0}));
    REQUIRE_FALSE(worth_taking({1000, unknown, 0}));
    REQUIRE(worth_taking({0, 0, 1e6})); // no model: better an idle worker than a busy one
}

TEST_CASE("who shares a link waits longer, who copies nothing does not wait", "[choose]")
{
    REQUIRE(shared_transfer_us(0, 1000, 10, 3) == 0);
    REQUIRE(shared_transfer_us(50'000, 1000, 10, 1) == 60);
    REQUIRE(shared_transfer_us(50'000, 1000, 10, 0) == 60);
    REQUIRE(shared_transfer_us(50'000, 1000, 10, 3) == 160);
}

TEST_CASE("a hint is known by its mark, and says who else may take the task", "[hint]")
{
    placement_hint hint;
    REQUIRE(read_hint(&hint) == &hint);
    REQUIRE(read_hint(nullptr) == nullptr);
    const std::uint64_t something_else = 42;
    REQUIRE(read_hint(&something_else) == nullptr);

    REQUIRE_FALSE(hint.movable());
    const worker_cost others[] = {{3, 10, 0.5}, {7, 20, 2}};
    hint.others = others;
    hint.elements = 100;
    REQUIRE(hint.movable());
    REQUIRE(cost_elsewhere(hint, 3) == 60);
    REQUIRE(cost_elsewhere(hint, 7) == 220);
    REQUIRE(std::isnan(cost_elsewhere(hint, 5)));
}
