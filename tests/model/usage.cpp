// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/usage.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

TEST_CASE("the shortest of the last runs is what is counted on", "[usage]")
{
    usage programs;
    constexpr std::uint32_t recipe = 1000;
    REQUIRE(programs.usual_run(recipe) == 0);
    programs.note_run(recipe, 100);
    REQUIRE(programs.usual_run(recipe) == 100);
    programs.note_run(recipe, 1);
    REQUIRE(programs.usual_run(recipe) == 1);
    for (int i = 0; i < 3; ++i) programs.note_run(recipe, 100);
    REQUIRE(programs.usual_run(recipe) == 100);
    REQUIRE(programs.usual_run(recipe + 1) == 0);
}

TEST_CASE("data that the host never reads tells how often it was used, at least", "[usage]")
{
    usage programs;
    constexpr std::uint32_t recipe = 1001;
    for (const std::size_t calls : {2, 40, 7}) programs.note_end_of_run(recipe, calls); // temporaries of one chain
    REQUIRE(programs.usual_run(recipe) == 40);
    programs.note_run(recipe, 3);
    REQUIRE(programs.usual_run(recipe) == 3);
    programs.note_end_of_run(recipe, 5);
    REQUIRE(programs.usual_run(recipe) == 5);
}

TEST_CASE("results go home as they did before", "[usage]")
{
    usage programs;
    constexpr std::uint32_t recipe = 2000;
    REQUIRE(programs.goes_home(recipe) == 0.5);
    REQUIRE(programs.goes_home(recipe, 0) == 0); // nobody knows
    for (int i = 0; i < 5; ++i) programs.note_home(recipe, true);
    REQUIRE(programs.goes_home(recipe) > 0.9);
    for (int i = 0; i < 5; ++i) programs.note_home(recipe, false);
    REQUIRE(programs.goes_home(recipe) < 0.1);
}

TEST_CASE("whether results usually go home does not change with every other result", "[usage]")
{
    usage programs;
    constexpr std::uint32_t recipe = 2001;
    REQUIRE(!programs.usually_goes_home(recipe));
    programs.note_home(recipe, true);
    REQUIRE(programs.usually_goes_home(recipe)); // nothing else is known
    for (int i = 0; i < 10; ++i) {
        programs.note_home(recipe, i % 2 == 0);
        REQUIRE(programs.usually_goes_home(recipe));
    }
    programs.note_home(recipe, false); // two in a row, as when the order changes
    REQUIRE(programs.usually_goes_home(recipe));
    for (int i = 0; i < 4; ++i) programs.note_home(recipe, false);
    REQUIRE(!programs.usually_goes_home(recipe));
}
