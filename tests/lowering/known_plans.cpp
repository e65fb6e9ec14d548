#include "src/lowering/known_plans.hpp"

#include <catch2/catch.hpp>

namespace
{

using namespace skelrt::detail;

/// A call of 32 segments, of which the first `on_gpu` go to device 1.
known_plans::outcome split_at(std::size_t on_gpu)
{
    planned_call p;
    p.targets = 2;
    if (on_gpu > 0) p.groups.push_back({1, 0, on_gpu});
    if (on_gpu < 32) p.groups.push_back({0, on_gpu, 32 - on_gpu});
    return {p, {}, 100.0 + static_cast<double>(on_gpu)};
}

plan_basis lying_at(std::uint64_t places)
{
    plan_basis b;
    b.places = places;
    return b;
}

/// How many calls in a row need no planning.
int calls_that_repeat(known_plans& all, const plan_basis& basis)
{
    int n = 0;
    while (n < 1000 && all.find(3, basis)) ++n;
    return n;
}

} // namespace

TEST_CASE("a plan holds when it came out twice, and each time for longer", "[known_plans]")
{
    known_plans all;
    const plan_basis here = lying_at(1);
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

TEST_CASE("a plan that moves a little still holds, and the new one counts", "[known_plans]")
{
    known_plans all;
    const plan_basis here = lying_at(1);
    all.remember(3, here, split_at(20));
    all.remember(3, here, split_at(21));
    const known_plans::entry* const known = all.find(3, here);
    REQUIRE(known);
    CHECK(known->what.plan.groups[0].count == 21);
    CHECK(known->what.promised_us == 121);
}

TEST_CASE("another plan, another device or another place begins anew", "[known_plans]")
{
    known_plans all;
    const plan_basis here = lying_at(1), there = lying_at(2);
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

TEST_CASE("four places in turn hold, and a fifth takes the oldest one's room", "[known_plans]")
{
    known_plans all;
    for (int twice = 0; twice < 2; ++twice)
        for (std::uint64_t place = 1; place <= 4; ++place) all.remember(3, lying_at(place), split_at(20));
    for (std::uint64_t place = 1; place <= 4; ++place) CHECK(calls_that_repeat(all, lying_at(place)) == 1);
    for (int twice = 0; twice < 2; ++twice) all.remember(3, lying_at(5), split_at(20));
    CHECK(calls_that_repeat(all, lying_at(5)) == 1);
    for (std::uint64_t place = 1; place <= 4; ++place) all.remember(3, lying_at(place), split_at(20));
    CHECK(calls_that_repeat(all, lying_at(1)) == 0); // it was new
}
