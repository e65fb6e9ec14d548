// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/queues/waiting_tasks.hpp"

#include "schedulers/queues/group_load.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <string>

/// The order in which tasks leave a queue, and what a group of workers has to do: as data.

using namespace skelrt::schedulers;

namespace
{

constexpr double long_us = waiting_tasks<char>::long_us;
const auto any = [](char) { return true; };

std::string drain(waiting_tasks<char>& queue, double now_us)
{
    std::string order;
    while (const auto task = queue.take_first(now_us, any)) order += *task;
    return order;
}

} // namespace

TEST_CASE("higher priorities first, equal ones as they came", "[waiting]")
{
    waiting_tasks<char> queue;
    queue.push(0, 1, 'a');
    queue.push(-5, 2, 'x');
    queue.push(0, 3, 'b');
    queue.push(std::numeric_limits<int>::max(), 4, 'A');
    queue.push(0, 4, 'c');
    queue.push(std::numeric_limits<int>::min(), 5, 'z');
    REQUIRE(queue.size() == 6);
    REQUIRE(drain(queue, 10) == "Aabcxz");
    REQUIRE(queue.size() == 0);
    REQUIRE_FALSE(queue.first(10));
    queue.push(3, 20, 'd'); // another priority than the last one's
    REQUIRE(queue.first(20)->priority == 3);
    REQUIRE(drain(queue, 20) == "d");
}

TEST_CASE("who waited long goes first once, then priorities count for as long again", "[waiting]")
{
    waiting_tasks<char> queue;
    queue.push(0, 0, 'a');
    queue.push(0, 1, 'b');
    for (char c = 'A'; c <= 'H'; ++c) queue.push(1, long_us / 2, c);
    REQUIRE(queue.take_first(long_us - 1, any) == 'A');
    REQUIRE(queue.first(long_us)->aged);
    REQUIRE(queue.take_first(long_us, any) == 'a');
    REQUIRE(queue.take_first(long_us + 5, any) == 'B'); // though 'b' has waited as long
    REQUIRE(queue.take_first(2 * long_us - 1, any) == 'C');
    REQUIRE(queue.take_first(2 * long_us, any) == 'b');
    REQUIRE(drain(queue, 9 * long_us) == "DEFGH");
}

TEST_CASE("nothing starves behind a stream of higher priority", "[waiting]")
{
    waiting_tasks<char> queue;
    for (int i = 0; i < 5; ++i) queue.push(std::numeric_limits<int>::min(), 0, 'x');
    int low = 0;
    for (double now = 0; now < 6 * long_us; now += long_us / 10) {
        queue.push(7, now, 'H');
        low += queue.take_first(now, any) == 'x';
    }
    REQUIRE(low == 5);
}

TEST_CASE("a task that may not be taken is passed over, even an old one", "[waiting]")
{
    waiting_tasks<char> queue;
    queue.push(0, 0, 'a');
    queue.push(1, 1, 'B');
    queue.push(1, 2, 'C');
    const auto not_these = [](char c) { return c != 'a' && c != 'B'; };
    REQUIRE(queue.take_first(2 * long_us, not_these) == 'C');
    REQUIRE_FALSE(queue.take_first(2 * long_us, not_these));
    REQUIRE(queue.size() == 2);
}

TEST_CASE("look-ahead goes by priority, thieves come from the far end", "[waiting]")
{
    waiting_tasks<char> queue;
    queue.push(0, 0, 'a');
    queue.push(0, 1, 'b');
    queue.push(2, 2, 'C');
    const auto is_b = [](char c) { return c == 'b'; };
    REQUIRE_FALSE(queue.find(2, is_b));
    REQUIRE(*queue.find(3, is_b) == 'b');
    REQUIRE(*queue.find(1, any) == 'C');
    REQUIRE_FALSE(queue.take_last(1, [](char c) { return c == 'a'; }));
    REQUIRE(queue.take_last(8, [](char c) { return c != 'b'; }) == 'a');
    REQUIRE(queue.take_last(8, any) == 'b');
    REQUIRE(queue.take_last(8, any) == 'C');
    REQUIRE_FALSE(queue.take_last(8, any));
}

TEST_CASE("of two queues' first ones age decides where nothing else does", "[waiting]")
{
    const standing old{true, -3, 50}, older{true, 9, 40}, high{false, 5, 90}, low{false, 0, 10};
    REQUIRE(goes_before(old, high));
    REQUIRE(goes_before(older, old));
    REQUIRE(goes_before(high, low));
    REQUIRE(goes_before(low, {false, 0, 11}));
    REQUIRE_FALSE(goes_before(low, low));
}

TEST_CASE("a group's load is what waits and what is left of what runs, shared by its workers", "[group]")
{
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    group_load load;
    REQUIRE(load.busy_us(1000, 0, 4) == 0);
    load.started(100, 1000);
    load.started(300, 1000);
    load.started(unknown, 1000);
    REQUIRE(load.running() == 3);
    REQUIRE(load.busy_us(1000, 0, 4) == 100);
    REQUIRE(load.busy_us(1050, 200, 2) == 225); // half of 400 - 3 * 50 and 200
    load.ended(unknown, 1000);
    load.ended(300, 1000);
    REQUIRE(load.busy_us(1050, 0, 1) == 50);
    REQUIRE(load.busy_us(5000, 0, 1) == 0); // it is late
    load.ended(100, 1000);
    REQUIRE(load.running() == 0);
    REQUIRE(load.busy_us(0, 0, 1) == 0);
}
