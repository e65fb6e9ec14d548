// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune_plan.hpp"

#include <catch2/catch.hpp>

using namespace skelrt;
using namespace skelrt::tool;

namespace
{

const std::vector<choice> choices{{"automatic", {}}, {"cpu", {{device::cpu}}}, {"cuda 0", {{device::cuda}}}};

/// Calls of one size: a slow first one, then typical ones.
void add(std::vector<tool::timed_call>& to, std::size_t elements, std::vector<double> us_of_choices)
{
    for (std::size_t k = 0; k < us_of_choices.size(); ++k)
        for (double factor : {50.0, 1.0, 1.1, 0.9})
            to.push_back({7, "map (a.cpp:1)", elements, us_of_choices[k] * factor, k, true});
}

} // namespace

TEST_CASE("each range gets what is quickest there", "[tune]")
{
    std::vector<tool::timed_call> calls;
    add(calls, 1000, {30, 10, 100});
    add(calls, 1'000'000, {3000, 10'000, 1000});
    const auto tuned = tune(calls, choices.size());
    REQUIRE(tuned.size() == 1);
    const auto& r = tuned[0].ranges;
    REQUIRE(r.size() == 2);
    REQUIRE(r[0].choice == 1);
    REQUIRE(r[0].us == Approx(10));
    REQUIRE(r[1].choice == 2);
    REQUIRE(r[0].to + 1 == r[1].from);
    REQUIRE(r[0].from <= 1000);
    REQUIRE(r[0].to == Approx(31'622));
    REQUIRE(r[1].to == 2'000'000);
}

TEST_CASE("ranges whose choices hardly differ become one", "[tune]")
{
    std::vector<tool::timed_call> calls;
    add(calls, 1000, {100, 50, 51});
    add(calls, 10'000, {200, 103, 100});
    add(calls, 100'000, {2000, 104, 100});
    REQUIRE(tune(calls, choices.size())[0].ranges.size() == 1);
    REQUIRE(tune(calls, choices.size(), 0.001)[0].ranges.size() == 2);
}

TEST_CASE("automatic stays unless something is clearly quicker, and is left out of the plan", "[tune]")
{
    std::vector<tool::timed_call> calls;
    add(calls, 1000, {102, 100, 300});
    add(calls, 1'000'000, {5000, 9000, 1000});
    const auto tuned = tune(calls, choices.size());
    REQUIRE(tuned[0].ranges[0].choice == 0);
    const auto plans = plans_of(tuned, choices);
    REQUIRE(plans.codelets.size() == 1);
    const plan& p = plans.codelets[0].what;
    REQUIRE(p.ranges().size() == 1);
    REQUIRE(p.at(1000) == nullptr);
    REQUIRE(p.at(1'000'000)->shares == std::vector<plan_share>{{device::cuda}});
}

TEST_CASE("what a call could not do is no choice for it", "[tune]")
{
    std::vector<tool::timed_call> calls;
    add(calls, 1000, {100, 90});
    for (int i = 0; i < 4; ++i) calls.push_back({7, "map (a.cpp:1)", 1000, 1, 2, false}); // ran elsewhere
    const auto tuned = tune(calls, choices.size());
    REQUIRE(tuned[0].ranges[0].choice == 1);
    REQUIRE(tuned[0].ranges[0].all_us[2] == 0);
}

TEST_CASE("a trial's file is read, but for a line that was cut off", "[tune]")
{
    const auto calls =
        read_trial("00000000000000ff 1000 12.5 1 map (a b.cpp:1)\nnonsense\n0000000000000001 5 1.0 0 scan\n00000", 2);
    REQUIRE(calls.size() == 2);
    REQUIRE(calls[0].key == 255);
    REQUIRE(calls[0].codelet == "map (a b.cpp:1)");
    REQUIRE(calls[0].us == 12.5);
    REQUIRE(calls[0].choice == 2);
    REQUIRE(calls[0].obeyed);
    REQUIRE_FALSE(calls[1].obeyed);
}
