// SPDX-License-Identifier: BSD-3-Clause
#include "tests/message_of.hpp"

#include <skelrt/group.hpp>
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

/// Groups of items that are added one by one.

namespace sk = skelrt;
using Catch::Contains;

TEST_CASE("a group waits for all that was added, each with a future", "[group]")
{
    const skelrt::runtime rt;
    sk::group g("sums");
    std::atomic<int> ran{0};
    const auto one = g.run([&] { return ++ran > 0; });
    for (int k = 0; k < 1000; ++k) g.run([&] { ++ran; });
    g.wait();
    CHECK(ran == 1001);
    CHECK(one.get());
    g.run([&] { ++ran; });
    g.wait();
    CHECK(ran == 1002);
}

TEST_CASE("items add items, which are waited for as well", "[group]")
{
    const skelrt::runtime rt;
    sk::group g;
    std::atomic<int> ran{0};
    const std::function<void(int)> add = [&](int depth) {
        ++ran;
        for (int k = 0; depth > 0 && k < 2; ++k) g.run([&add, depth] { add(depth - 1); });
    };
    g.run([&] { add(8); });
    g.wait();
    CHECK(ran == 511);
}

TEST_CASE("what an item holds is gone when it has been waited for", "[group]")
{
    const skelrt::runtime rt;
    sk::group g;
    const auto held = std::make_shared<int>(5);
    for (int k = 0; k < 200; ++k) {
        const auto value = g.run([held] { return *held; });
        g.run([held] { throw std::runtime_error("with it"); });
        CHECK_THROWS(g.wait());
        CHECK(value.get() == 5);
        CHECK(held.use_count() == 1);
    }
}

TEST_CASE("an item cannot wait for its own group", "[group][errors]")
{
    const skelrt::runtime rt;
    sk::group g;
    const auto waits = g.run([&g] { g.wait(); });
    CHECK_THAT(message_of([&] { waits.get(); }), Contains("would wait for itself"));
    try {
        g.wait(); // of those outside
    } catch (const sk::item_error&) {
    }
}

TEST_CASE("a group's first error in order is thrown, named", "[group]")
{
    const skelrt::runtime rt;
    sk::group g("assembly");
    g.run([] {});
    const auto bad = g.run([] { throw std::runtime_error("bent"); });
    g.run([] { throw std::runtime_error("late"); });
    CHECK_THAT(message_of([&] { g.wait(); }), Contains("group assembly, item 1: bent (2 items threw)"));
    CHECK_THROWS_AS(bad.get(), sk::item_error);
    g.wait(); // told once
}

TEST_CASE("a group is cancelled, and goes on", "[group][concurrent]")
{
    const skelrt::runtime rt;
    sk::group g;
    std::atomic<bool> begun{false};
    for (int k = 0; k < 100; ++k)
        g.run([&](std::stop_token stop) {
            begun = true;
            while (!stop.stop_requested()) std::this_thread::yield();
        });
    while (!begun) std::this_thread::yield();
    g.cancel();
    CHECK_THAT(message_of([&] { g.wait(); }), Contains("items were cancelled"));
    CHECK(g.run([] { return 5; }).get() == 5);
}

TEST_CASE("a group waits in its destructor", "[group]")
{
    const skelrt::runtime rt;
    std::atomic<int> ran{0};
    {
        sk::group g;
        for (int k = 0; k < 20; ++k) g.run([&] { ++ran; });
    }
    CHECK(ran == 20);
}
