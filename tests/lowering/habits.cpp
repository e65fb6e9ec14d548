#include "src/data/habits.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

TEST_CASE("the shortest of the last runs is what is counted on", "[habits]")
{
    constexpr std::uint32_t recipe = 1000;
    REQUIRE(usual_run(recipe) == 0);
    note_run(recipe, 100);
    REQUIRE(usual_run(recipe) == 100);
    note_run(recipe, 1);
    REQUIRE(usual_run(recipe) == 1);
    for (int i = 0; i < 3; ++i) note_run(recipe, 100);
    REQUIRE(usual_run(recipe) == 100);
    REQUIRE(usual_run(recipe + 1) == 0);
}

TEST_CASE("results go home as they did before", "[habits]")
{
    constexpr std::uint32_t recipe = 2000;
    REQUIRE(goes_home(recipe) == 0.5);
    for (int i = 0; i < 5; ++i) note_home(recipe, true);
    REQUIRE(goes_home(recipe) > 0.9);
    for (int i = 0; i < 5; ++i) note_home(recipe, false);
    REQUIRE(goes_home(recipe) < 0.1);
}
