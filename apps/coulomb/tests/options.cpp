// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <catch2/catch.hpp>

using namespace coulomb;
using Catch::Contains;

namespace
{

options parse(std::vector<const char*> words)
{
    words.insert(words.begin(), "coulomb");
    return *read_options(static_cast<int>(words.size()), words.data());
}

} // namespace

TEST_CASE("options have sensible values by themselves", "[options]")
{
    const auto o = parse({});
    CHECK(o.device == "all");
    CHECK(o.grid == extents{128, 128, 128});
    CHECK(o.copies == extents{1, 1, 1});
    CHECK(o.input.empty());
    CHECK_FALSE(o.slice);
}

TEST_CASE("grids, copies and slices are read", "[options]")
{
    CHECK(parse({"--grid", "64,32,16"}).grid == extents{64, 32, 16});
    CHECK(parse({"--replicate", "2,1,3"}).copies == extents{2, 1, 3});
    CHECK(parse({"--grid", "8", "--slice", "7"}).slice == 7);
}

TEST_CASE("wrong options are refused", "[options]")
{
    CHECK_THROWS_AS(parse({"--grid", "4096"}), input_error); // too many in all
    CHECK_THROWS_WITH(parse({"--grid", "8", "--slice", "8"}), Contains("0 to 7"));
    CHECK_THROWS_AS(parse({"--slice=-1"}), input_error);
    CHECK_THROWS_AS(parse({"--grit", "8"}), input_error);
}
