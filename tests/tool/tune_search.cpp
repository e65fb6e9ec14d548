// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/search.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace skelrt;
using namespace skelrt::tool;

namespace
{

constexpr double for_ever = std::numeric_limits<double>::infinity();

const std::vector<choice> choices{{"automatic", {}},
                                  {"cpu", {{device::cpu}}},
                                  {"cuda 0", {{device::cuda}}},
                                  {"cuda 0 in blocks of 64", {{device::cuda, 1, 0, 0, 0, 64}}}};

/// Places with equal shares, and what their calls take where each is waited for.
std::vector<place> surveyed(std::vector<std::vector<double>> us)
{
    std::vector<place> all;
    for (std::size_t p = 0; p < us.size(); ++p) {
        us[p].resize(choices.size());
        all.push_back({p + 1, "map", 512, 1023, 1, 1.0 / static_cast<double>(us.size()), us[p]});
    }
    return all;
}

/// A program whose runs take what a function says, give or take some noise.
struct simulated_program {
    std::function<double(const assignment&)> seconds;
    double noise = 0;
    std::size_t most_runs = 10'000;
    std::mt19937 random{1};
    std::size_t made = 0;

    search_result tuned(const std::vector<place>& places)
    {
        std::uniform_real_distribution<double> off(1 - noise, 1 + noise);
        return search(places, choices,
                      {[&](const assignment& a) { return ++made, seconds(a) * off(random); },
                       [&](std::size_t n) { return made + n <= most_runs; }, [](const std::string&) {}});
    }
};

} // namespace

TEST_CASE("a change gains if it is quicker in four of five turns, and clearly at the median", "[tune]")
{
    const std::vector<double> one(5, 1.0);
    REQUIRE(judge({one, {0.9, 0.9, 0.9, 0.9, 0.9}}, over_what_is_kept) == verdict::gains);
    REQUIRE(judge({one, {0.9, 0.9, 5, 0.9, 0.9}}, over_what_is_kept) == verdict::gains); // somebody disturbed it
    REQUIRE(judge({one, {0.9, 0.9, 5, 0.9, 1.0}}, over_what_is_kept) == verdict::does_not);
    REQUIRE(judge({one, {0.98, 0.98, 0.98, 0.98, 0.98}}, over_what_is_kept) == verdict::does_not);
    REQUIRE(judge({one, {0.98, 0.98, 0.98, 0.98, 0.98}}, over_being_left_out) == verdict::gains);
    REQUIRE(judge({one, {0.9, 0.9, 0.9, 0.9, for_ever}}, over_what_is_kept) == verdict::does_not); // it may fail
    REQUIRE(judge({{}, {}}, over_what_is_kept) == verdict::open);
    REQUIRE(judge({{1, 1, 1, 1}, {0.9, 0.9, 0.9, 0.9}}, over_what_is_kept) == verdict::open);
    REQUIRE(judge({{1, 1}, {1.1, 1.1}}, over_what_is_kept) == verdict::does_not); // no more turns are needed
    REQUIRE(judge({one, {0.9, 0.9, 0.9, 0.9, 0.9}}, once_more) == verdict::open);
}

TEST_CASE("what is quicker call by call, and slower in the whole program, is not kept", "[tune]")
{
    simulated_program waits{[](const assignment& a) { return a[0] == 0 ? 1.0 : 1.4; }, 0.01};
    const auto found = waits.tuned(surveyed({{100, 50, 60, 40}}));
    REQUIRE(found.kept == assignment{0});
    REQUIRE(found.in_time);
}

TEST_CASE("what gains in the whole program is kept, and what it gains is told", "[tune]")
{
    simulated_program blocks{[](const assignment& a) { return a[0] == 3 ? 0.8 : 1.0; }, 0.01};
    const auto found = blocks.tuned(surveyed({{100, 100, 100, 101}}));
    REQUIRE(found.kept == assignment{3});
    REQUIRE(found.last.with.size() == once_more.turns);
    REQUIRE(median_of(found.last.with) < 0.85 * median_of(found.last.without));
}

TEST_CASE("places that gain only together are found together", "[tune]")
{
    simulated_program copies{[](const assignment& a) { return a[0] == a[1] ? (a[0] == 2 ? 0.7 : 1.0) : 1.5; }};
    REQUIRE(copies.tuned(surveyed({{100, 100, 90}, {100, 100, 90}})).kept == assignment{2, 2});
}

TEST_CASE("each place gets its own, and one without a gain is left out", "[tune]")
{
    simulated_program mixed{
        [](const assignment& a) { return 1.0 - (a[0] == 1 ? 0.2 : 0) - (a[1] == 3 ? 0.2 : 0) + 0 * double(a[2]); }};
    const auto found = mixed.tuned(surveyed({{100, 90, 95, 99}, {100, 95, 99, 90}, {100, 60, 60, 60}}));
    REQUIRE(found.kept == assignment{1, 3, 0});
}

TEST_CASE("a choice that calls cannot have is not tried, one that fails is not kept", "[tune]")
{
    simulated_program fails{[](const assignment& a) {
        REQUIRE(a[0] != 2);
        return a[0] == 0 ? 1.0 : for_ever;
    }};
    REQUIRE(fails.tuned(surveyed({{100, 50, 0, 50}})).kept == assignment{0});
}

TEST_CASE("noise is no gain", "[tune]")
{
    int kept = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        simulated_program same{[](const assignment&) { return 1.0; }, 0.1};
        same.random.seed(seed);
        kept += same.tuned(surveyed({{100, 90, 90, 90}, {100, 90, 90, 90}})).kept != assignment{0, 0};
    }
    REQUIRE(kept <= 14);
}

TEST_CASE("without time nothing is kept, and that is said", "[tune]")
{
    simulated_program short_of_time{[](const assignment& a) { return a[0] == 0 ? 1.0 : 0.5; }};
    short_of_time.most_runs = 12;
    const auto found = short_of_time.tuned(surveyed({{100, 50, 50, 50}}));
    REQUIRE(found.kept == assignment{0});
    REQUIRE_FALSE(found.in_time);
    REQUIRE(short_of_time.made <= short_of_time.most_runs);
}
