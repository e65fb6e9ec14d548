// SPDX-License-Identifier: BSD-3-Clause
#include "tests/message_of.hpp"
#include "tests/tasks/add_kernel.hpp"
#include "tests/tasks/values_of.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <span>
#include <stdexcept>
#include <thread>
#include <variant>
#include <vector>

/// Tasks that are made later: by hand, and as items of farms and groups.

namespace sk = skelrt;
using Catch::Contains;

namespace
{

int sum_of(std::span<const int> v) { return std::accumulate(v.begin(), v.end(), 0); }

} // namespace

TEST_CASE("a later task runs when it is made, each time anew", "[task]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(10, 1);
    const auto add = sk::later_task(add_kernel::add_number(), sk::inout(x.range(2, 3)), 4);
    sk::wait_all();
    CHECK(values_of(x) == std::vector(10, 1));
    add().wait();
    add();
    CHECK(values_of(x) == std::vector{1, 1, 9, 9, 9, 1, 1, 1, 1, 1});
    const auto sum = sk::later_task({.name = "sum"}, sum_of, sk::in(x));
    CHECK(sum().get() == 34);
    CHECK(sum().name().find("sum") != std::string::npos);
}

TEST_CASE("a later task sees what its container has when it is made", "[task]")
{
    const skelrt::runtime rt;
    const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    sk::vector<int> x(5, 1);
    const auto sum = sk::later_task(sum_of, sk::in(x));
    x = twice(x);
    sk::vector<int> y(5, 7);
    CHECK(sum().get() == 10);
    x = y;
    CHECK(sum().get() == 35);
}

TEST_CASE("items that are tasks give the tasks' results", "[task]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(100, 1);
    sk::scalar<int> total(0);
    const auto all = sk::farm(sk::later_task(sum_of, sk::in(x)),
                              sk::item("add", sk::later_task(add_kernel::add_number(), sk::inout(x), 1)),
                              sk::later_task([](int& t) { t = 5; }, sk::out(total)), [] { return 3; });
    const auto [sum, none, nothing, three] = all();
    CHECK((sum == 100 || sum == 200)); // items have no order
    CHECK(none == std::monostate{});
    CHECK(three == 3);
    CHECK(total.get() == 5);
    CHECK(values_of(x) == std::vector(100, 2));
    sk::group g;
    const auto later = g.run(sk::later_task(sum_of, sk::in(x)));
    g.wait();
    CHECK(later.get() == 200);
}

TEST_CASE("what a later task throws is its item's error", "[task][errors]")
{
    const skelrt::runtime rt;
    sk::vector<int> x(3, 1);
    const auto bad = sk::later_task(
        {.name = "read"}, [](std::span<int>) { throw std::runtime_error("no file"); }, sk::inout(x));
    CHECK_THAT(message_of([&] { sk::farm(bad, [] {})(); }), Contains("item 0") && Contains("sk::task read: no file"));
    CHECK_THROWS_AS(bad().get(), sk::skipped); // it reads what it could not write
    sk::vector<int> y(10, 1);
    const auto overlaps =
        sk::later_task([](std::span<int>, std::span<int>) {}, sk::inout(y.range(0, 6)), sk::out(y.range(5, 5)));
    CHECK_THAT(message_of([&] { overlaps(); }), Contains("share elements")); // not before
    CHECK_THAT(message_of([&] { sk::farm(overlaps, [] {})(); }), Contains("share elements"));
}

TEST_CASE("a farm that is cancelled cancels the tasks of its items", "[task][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<bool> go{false}, ran{false}, first_runs{false};
    sk::vector<int> x(3, 1);
    sk::task(
        [&](std::span<int>) {
            first_runs = true;
            while (!go) std::this_thread::yield();
        },
        sk::inout(x));
    while (!first_runs) std::this_thread::yield();
    const auto running = sk::farm(sk::later_task([&](std::span<int>) { ran = true; }, sk::inout(x))).start();
    running.cancel();
    go = true;
    CHECK_THROWS_AS(running.get(), sk::cancelled);
    CHECK_FALSE(ran);
    sk::wait_all();
}

TEST_CASE("later tasks of many farms at once", "[task]")
{
    const skelrt::runtime rt;
    std::array<sk::vector<int>, 4> x{sk::vector<int>(1000, 0), sk::vector<int>(1000, 0), sk::vector<int>(1000, 0),
                                     sk::vector<int>(1000, 0)};
    const auto add = [&](std::size_t k) { return sk::later_task(add_kernel::add_number(), sk::inout(x[k]), 1); };
    const auto all = sk::farm(add(0), add(1), sk::farm(add(2), add(3)));
    for (int round = 0; round < 50; ++round) all();
    for (const auto& v : x) CHECK(values_of(v) == std::vector(1000, 50));
}
