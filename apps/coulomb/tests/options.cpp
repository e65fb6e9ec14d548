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
    CHECK(o.input.empty());
    CHECK_FALSE(o.slice);
}

TEST_CASE("sizes are one number or three", "[options]")
{
    CHECK(parse({"--grid", "64"}).grid == extents{64, 64, 64});
    CHECK(parse({"--grid", "64,32,16"}).grid == extents{64, 32, 16});
    CHECK(parse({"--replicate", "2,1,3"}).copies == std::array<int, 3>{2, 1, 3});
    for (const char* bad : {"0", "4,4", "1,2,3,4", "a", "4,,4", "-1", "5000", "3.5", "99999999999999999999"})
        CHECK_THROWS_WITH(parse_extents(bad, "--grid", 4096), Contains(bad));
    CHECK_THROWS_AS(parse({"--grid", "4096"}), input_error); // too many in all
}

TEST_CASE("wrong options are refused", "[options]")
{
    CHECK_THROWS_WITH(parse({"--device", "tpu"}), Contains("cpu, cuda, opencl, hybrid, all"));
    CHECK_THROWS_WITH(parse({"--grid", "8", "--slice", "8"}), Contains("0 to 7"));
    CHECK_THROWS_AS(parse({"--slice=-1"}), input_error);
    CHECK_THROWS_AS(parse({"--repeat", "0"}), input_error);
    CHECK_THROWS_AS(parse({"--repeat", "x"}), input_error);
    CHECK_THROWS_AS(parse({"--grit", "8"}), input_error);
    CHECK_THROWS_AS(parse({"--csv", "nowhere/at/all.csv"}), input_error);
}
