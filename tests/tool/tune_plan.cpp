// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/plans.hpp"

#include <catch2/catch.hpp>

using namespace skelrt;
using namespace skelrt::tool;

namespace
{

const std::vector<choice> choices{{"automatic", {}}, {"cpu", {{device::cpu}}}, {"cuda 0", {{device::cuda}}}};

/// Calls of one size: a slow first one, then typical ones.
void add(std::vector<surveyed_call>& to, std::uint64_t key, std::size_t elements, std::vector<double> us_of_choices)
{
    for (std::size_t k = 0; k < us_of_choices.size(); ++k)
        for (double factor : {50.0, 1.0, 1.1, 0.9})
            to.push_back({key, "map (a.cpp:1)", elements, us_of_choices[k] * factor, k, true});
}

} // namespace

TEST_CASE("a place is a codelet and an order of size, the one that takes longest first", "[tune]")
{
    std::vector<surveyed_call> calls;
    add(calls, 7, 1000, {10, 10, 100});
    add(calls, 7, 600, {10, 10, 100}); // of the same order
    add(calls, 7, 1'000'000, {100, 300, 50});
    add(calls, 8, 1000, {80, 80, 80});
    const auto places = places_of(calls, choices.size());
    REQUIRE(places.size() == 3);
    REQUIRE(places[0].from == std::size_t{1} << 19);
    REQUIRE(places[0].to == (std::size_t{1} << 20) - 1);
    REQUIRE(places[0].share == Approx(0.5));
    REQUIRE(places[0].us == std::vector<double>{100, 300, 50});
    REQUIRE(places[1].key == 8);
    REQUIRE(places[2].calls == 8);
}

TEST_CASE("what takes next to no time is no place", "[tune]")
{
    std::vector<surveyed_call> calls;
    add(calls, 7, 1'000'000, {1000});
    add(calls, 8, 10, {10});
    REQUIRE(places_of(calls, 1).size() == 1);
    REQUIRE(places_of(calls, 1, 0).size() == 2);
    REQUIRE(places_of({}, 1).empty());
}

TEST_CASE("a choice that some of the calls cannot have is none", "[tune]")
{
    std::vector<surveyed_call> calls;
    add(calls, 7, 1000, {100, 90, 10});
    calls.back().obeyed = false; // ran elsewhere
    const auto places = places_of(calls, choices.size());
    REQUIRE(places[0].us[1] > 0);
    REQUIRE(places[0].us[2] == 0);
}

TEST_CASE("a plan has what is not automatic, and joins neighbouring sizes of one choice", "[tune]")
{
    const std::vector<place> places{{7, "map (a.cpp:1)", 512, 1023, 1, 0.3, {}},
                                    {7, "map (a.cpp:1)", 1024, 2047, 1, 0.3, {}},
                                    {7, "map (a.cpp:1)", 4096, 8191, 1, 0.2, {}},
                                    {8, "scan", 512, 1023, 1, 0.2, {}}};
    const auto plans = plans_of({2, 2, 2, 0}, places, choices);
    REQUIRE(plans.codelets.size() == 1);
    const plan& p = plans.codelets[0].what;
    REQUIRE(p.ranges().size() == 2);
    REQUIRE(p.at(511) == nullptr);
    REQUIRE(p.at(512)->shares == std::vector<plan_share>{{device::cuda}});
    REQUIRE(p.at(2047)->shares == std::vector<plan_share>{{device::cuda}});
    REQUIRE(p.at(2048) == nullptr);
    REQUIRE(p.at(4096) != nullptr);
    REQUIRE(plans_of({2, 1, 0, 0}, places, choices).codelets[0].what.ranges().size() == 2);
    REQUIRE(plans_of({0, 0, 0, 0}, places, choices).codelets.empty());
}

TEST_CASE("a survey's file is read, but for a line that was cut off", "[tune]")
{
    const auto calls =
        read_survey("00000000000000ff 1000 12.5 1 map (a b.cpp:1)\nnonsense\n0000000000000001 5 1.0 0 scan\n00000", 2);
    REQUIRE(calls.size() == 2);
    REQUIRE(calls[0].key == 255);
    REQUIRE(calls[0].codelet == "map (a b.cpp:1)");
    REQUIRE(calls[0].us == 12.5);
    REQUIRE(calls[0].choice == 2);
    REQUIRE(calls[0].obeyed);
    REQUIRE_FALSE(calls[1].obeyed);
}
