// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/hash_combine.hpp"

#include <skelrt/detail/call.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace skelrt::detail;

namespace
{

recipe& map_of(const char* text, const char* file, int line, const char* type)
{
    auto& r = *new recipe; // registered recipes live as long as the process
    r.kind = skeleton::map;
    r.calls.push_back({});
    r.calls.back().function = keep_source({text, file, line});
    r.slots.push_back({});
    r.slots.back().type = type;
    r.slots.back().size = 4;
    register_recipe(r);
    return r;
}

constexpr const char* twice = "(float a) { return 2 * a; }";

} // namespace

TEST_CASE("hashes of shapes and places are the same in every process", "[keys]")
{
    STATIC_REQUIRE(hash_combine(1, 2) == 0xdaa66d2c7ddf743f);
}

TEST_CASE("models are of what a function says, wherever it stands", "[keys]")
{
    const recipe& here = map_of(twice, "app.cpp", 10, "float");
    const recipe& moved = map_of(twice, "other.cpp", 123, "float");
    REQUIRE(here.key == moved.key);
    REQUIRE(here.name == "map (app.cpp:10)"); // people see the place
    REQUIRE(moved.name == "map (other.cpp:123)");
    REQUIRE(here.id != moved.id);
}

TEST_CASE("another text, type or skeleton has models of its own", "[keys]")
{
    const recipe& here = map_of(twice, "app.cpp", 10, "float");
    REQUIRE(here.key != map_of("(float a) { return 3 * a; }", "app.cpp", 10, "float").key);
    REQUIRE(here.key != map_of(twice, "app.cpp", 10, "double").key);
    auto& r = *new recipe;
    r.kind = skeleton::filter;
    r.calls = here.calls;
    r.slots = here.slots;
    register_recipe(r);
    REQUIRE(here.key != r.key);
}
