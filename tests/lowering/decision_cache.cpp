// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/cache.hpp"

#include <catch2/catch.hpp>

#include <array>

namespace
{

using namespace skelrt;
using namespace skelrt::detail;

/// Two devices, which are only compared.
std::vector<const target*> two_devices()
{
    static const std::array<target, 2> both{};
    return {&both[0], &both[1]};
}

/// A call of 32 segments, of which the first `on_gpu` go to device 1.
shared_decision split_at(std::size_t on_gpu)
{
    decision d;
    d.targets = two_devices();
    if (on_gpu > 0) d.groups.push_back({1, 0, on_gpu});
    if (on_gpu < 32) d.groups.push_back({0, on_gpu, 32 - on_gpu});
    d.busy_us = {100.0 + static_cast<double>(on_gpu)};
    return std::make_shared<const decision>(std::move(d));
}

shared_decision to_device(unsigned number)
{
    decision d;
    d.targets = two_devices();
    d.groups = {{number, 0, 1}};
    return std::make_shared<const decision>(std::move(d));
}

situation lying_at(std::uint64_t places)
{
    situation s;
    s.places = places;
    return s;
}

situation of_one_task(std::size_t elements)
{
    situation s;
    s.cols = elements;
    s.of_one_task = true;
    return s;
}

/// How many calls in a row need no decision.
int calls_that_repeat(decision_cache& all, const situation& now)
{
    int n = 0;
    while (n < 10000 && all.find(3, now)) ++n;
    return n;
}

} // namespace

TEST_CASE("a decision of one task holds for longer each time that it comes out again", "[decisions]")
{
    decision_cache all;
    const situation now = of_one_task(1000);
    CHECK(calls_that_repeat(all, now) == 0);
    for (const int calls : {63, 126, 252, 504, 504}) {
        all.remember(3, now, to_device(1));
        CHECK(calls_that_repeat(all, now) == calls);
    }
    all.remember(3, now, to_device(0)); // it changed
    CHECK(calls_that_repeat(all, now) == 63);
    all.forget();
    CHECK(calls_that_repeat(all, now) == 0);
}

TEST_CASE("decisions of several shapes hold beside each other; the last takes the place of the first", "[decisions]")
{
    decision_cache all;
    constexpr std::size_t most = 12;
    for (std::size_t n = 1; n <= most; ++n) all.remember(3, of_one_task(n), to_device(n % 2));
    for (std::size_t n = 1; n <= most; ++n) {
        const shared_decision d = all.find(3, of_one_task(n));
        REQUIRE(d);
        CHECK(d->groups[0].device == n % 2);
        situation elsewhere = of_one_task(n);
        elsewhere.who = 1;
        CHECK_FALSE(all.find(3, elsewhere));
    }
    const shared_decision second = all.find(3, of_one_task(2));
    all.remember(3, of_one_task(most + 1), to_device(1));
    CHECK(second->groups[0].device == 0); // stays where it is while it is followed
    CHECK_FALSE(all.find(3, of_one_task(1)));
    CHECK(all.find(3, of_one_task(most + 1)));
}

TEST_CASE("a plan holds when it came out twice, and each time for longer", "[decisions]")
{
    decision_cache all;
    const situation here = lying_at(1);
    CHECK(calls_that_repeat(all, here) == 0);
    all.remember(3, here, split_at(20));
    CHECK(calls_that_repeat(all, here) == 0);
    for (const int calls : {1, 2, 4, 8, 16, 32, 64, 64}) {
        all.remember(3, here, split_at(20));
        CHECK(calls_that_repeat(all, here) == calls);
    }
    all.forget();
    CHECK(calls_that_repeat(all, here) == 0);
}

TEST_CASE("a plan that moves a little still holds, and the new one counts", "[decisions]")
{
    decision_cache all;
    const situation here = lying_at(1);
    all.remember(3, here, split_at(20));
    all.remember(3, here, split_at(21));
    const shared_decision known = all.find(3, here);
    REQUIRE(known);
    CHECK(known->groups[0].count == 21);
    CHECK(known->busy_us[0] == 121);
}

TEST_CASE("another plan, another device or another place begins anew", "[decisions]")
{
    decision_cache all;
    const situation here = lying_at(1), there = lying_at(2);
    const auto hold = [&] {
        all.remember(3, here, split_at(20));
        all.remember(3, here, split_at(20));
    };
    hold();
    CHECK_FALSE(all.find(3, there));
    CHECK_FALSE(all.find(4, here));
    CHECK(all.find(3, here));

    hold();
    all.remember(3, here, split_at(24));
    CHECK_FALSE(all.find(3, here));

    all.forget();
    all.remember(3, here, split_at(31));
    all.remember(3, here, split_at(32)); // a single segment more, but the cores have nothing to do now
    CHECK_FALSE(all.find(3, here));

    hold();
    all.remember(3, there, split_at(20));
    CHECK_FALSE(all.find(3, there));
    CHECK(all.find(3, here));
}

TEST_CASE("plans for places in turn hold, and one place more takes the oldest one's room", "[decisions]")
{
    decision_cache all;
    constexpr std::uint64_t most = 12;
    for (int twice = 0; twice < 2; ++twice)
        for (std::uint64_t place = 1; place <= most; ++place) all.remember(3, lying_at(place), split_at(20));
    for (std::uint64_t place = 1; place <= most; ++place) CHECK(calls_that_repeat(all, lying_at(place)) == 1);
    for (int twice = 0; twice < 2; ++twice) all.remember(3, lying_at(most + 1), split_at(20));
    CHECK(calls_that_repeat(all, lying_at(most + 1)) == 1);
    for (std::uint64_t place = 1; place <= most; ++place) all.remember(3, lying_at(place), split_at(20));
    CHECK(calls_that_repeat(all, lying_at(1)) == 0); // it was new
}

TEST_CASE("a held decision is made anew where what others do makes another device better", "[decide]")
{
    decision d = *to_device(1);
    d.single_us = {100, 30};
    d.busy_us = {0, 30};
    REQUIRE(is_still_best(d, std::array{0.0, 0.0}));
    REQUIRE(is_still_best(d, std::array{0.0, 60.0}));
    REQUIRE_FALSE(is_still_best(d, std::array{0.0, 80.0}));
    REQUIRE(is_still_best(d, std::array{50.0, 80.0}));
    d.groups = {{0, 0, 1}};
    REQUIRE_FALSE(is_still_best(d, std::array{0.0, 60.0}));
    REQUIRE(is_still_best(d, std::array{0.0, 80.0}));
}

TEST_CASE("a held decision for a core of the caller's own waits for nobody", "[decide]")
{
    target here{}, gpu{};
    here.kind = device::cpu, gpu.kind = device::cuda;
    decision d = *to_device(0);
    d.targets = {&here, &gpu};
    d.single_us = {100, 30};
    d.busy_us = {100, 0};
    d.own_core = true;
    REQUIRE_FALSE(is_still_best(d, std::array{500.0, 60.0}));
    REQUIRE(is_still_best(d, std::array{500.0, 80.0}));
    d.own_core = false;
    REQUIRE_FALSE(is_still_best(d, std::array{500.0, 80.0}));
}

TEST_CASE("a held split is made anew where others have one of its devices", "[decide]")
{
    decision d = *split_at(16);
    d.single_us = {200, 200};
    d.busy_us = {100, 100};
    REQUIRE(is_still_best(d, std::array{5.0, 5.0}));
    REQUIRE_FALSE(is_still_best(d, std::array{5.0, 20.0}));
    REQUIRE_FALSE(is_still_best(d, std::array{20.0, 5.0}));
}

TEST_CASE("what was no choice stays", "[decide]") { REQUIRE(is_still_best(*to_device(1), std::array{0.0, 1e6})); }
