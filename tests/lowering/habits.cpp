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
    REQUIRE(goes_home(recipe, 0) == 0); // nobody knows
    for (int i = 0; i < 5; ++i) note_home(recipe, true);
    REQUIRE(goes_home(recipe) > 0.9);
    for (int i = 0; i < 5; ++i) note_home(recipe, false);
    REQUIRE(goes_home(recipe) < 0.1);
}

TEST_CASE("whether results usually go home does not change with every other result", "[habits]")
{
    constexpr std::uint32_t recipe = 2001;
    REQUIRE(!usually_goes_home(recipe));
    note_home(recipe, true);
    REQUIRE(usually_goes_home(recipe)); // nothing else is known
    for (int i = 0; i < 10; ++i) {
        note_home(recipe, i % 2 == 0);
        REQUIRE(usually_goes_home(recipe));
    }
    note_home(recipe, false); // two in a row, as when the order changes
    REQUIRE(usually_goes_home(recipe));
    for (int i = 0; i < 4; ++i) note_home(recipe, false);
    REQUIRE(!usually_goes_home(recipe));
}
