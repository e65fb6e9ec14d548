// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/command_line.hpp"
#include "apps/shared/program/error.hpp"
#include "apps/shared/program/sizes.hpp"

#include <catch2/catch.hpp>

using namespace apps;
using Catch::Contains;

namespace
{

common_options parse(std::vector<const char*> words, const offers& what = {true, "a picture"})
{
    words.insert(words.begin(), "app");
    common_options o;
    command_line line("app", "about", what, o);
    line.parse(static_cast<int>(words.size()), words.data());
    return o;
}

} // namespace

TEST_CASE("options have sensible values by themselves", "[options]")
{
    const auto o = parse({});
    CHECK(o.device == "all");
    CHECK(o.repeat == 7);
    CHECK(o.untimed == 2);
    CHECK_FALSE(o.check);
    CHECK(o.csv.empty());
}

TEST_CASE("a process may time its first run", "[options]") { CHECK(parse({"--untimed", "0"}).untimed == 0); }

TEST_CASE("the last of two equal options counts", "[options]")
{
    CHECK(parse({"--repeat", "3", "--device", "cuda", "--repeat", "4"}).repeat == 4);
}

TEST_CASE("wrong options are refused", "[options]")
{
    CHECK_THROWS_WITH(parse({"--device", "tpu"}), Contains("cpu, cuda, opencl, hybrid, all"));
    CHECK_THROWS_AS(parse({"--repeat", "0"}), input_error);
    CHECK_THROWS_WITH(parse({"--untimed", "-1"}), Contains("--untimed"));
    CHECK_THROWS_AS(parse({"--repeat", "x"}), input_error);
    CHECK_THROWS_WITH(parse({"--nonsense"}), Contains("app --help"));
    CHECK_THROWS_WITH(parse({"--csv", "nowhere/at/all.csv"}), Contains("--csv") && Contains("no folder"));
    CHECK_THROWS_WITH(parse({"--picture", "nowhere/at/all.png"}), Contains("no folder"));
}

TEST_CASE("numbers without a sign are never what was not said", "[options]")
{
    const auto steps = [](const char* said) {
        common_options o;
        std::size_t n = 7;
        command_line line("app", "about", {true, ""}, o);
        line.range("--steps", n, 0, 100, "");
        const char* const words[] = {"app", "--steps", said};
        line.parse(3, words);
        return n;
    };
    CHECK(steps("42") == 42);
    CHECK_THROWS_WITH(steps("-1"), Contains("--steps") && Contains("-1 is less than 0"));
    CHECK_THROWS_WITH(steps("99999999999999999999"), Contains("--steps") && Contains("is too large"));
    CHECK_THROWS_WITH(steps("101"), Contains("0 to 100"));
    CHECK_THROWS_AS(steps("1.5"), input_error);
}

TEST_CASE("an application without a rival or a picture has no option for it", "[options]")
{
    CHECK_THROWS_AS(parse({"--rival"}, {}), input_error);
    CHECK_THROWS_AS(parse({"--picture", "a.png"}, {}), input_error);
}

TEST_CASE("sizes are one number or all of them", "[sizes]")
{
    CHECK(parse_sizes<3>("64", "--grid", 4096) == std::array<std::size_t, 3>{64, 64, 64});
    CHECK(parse_sizes<3>("64, 32,16", "--grid", 4096) == std::array<std::size_t, 3>{64, 32, 16});
    CHECK(parse_sizes<2>("8,9", "--size", 4096) == std::array<std::size_t, 2>{8, 9});
    for (const char* bad :
         {"0", "4,4", "1,2,3,4", "a", "4,,4", "4,4,", "", "-1", "5000", "3.5", "99999999999999999999"})
        CHECK_THROWS_WITH(parse_sizes<3>(bad, "--grid", 4096), Contains(bad) && Contains("--grid"));
}
