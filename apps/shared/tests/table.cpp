// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/table.hpp"
#include "apps/shared/program/error.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <unistd.h>

using namespace apps;
using Catch::Contains;

namespace
{

measurement row(const std::string& device, std::vector<double> seconds, double error = 0)
{
    measurement m{device, "hardware", std::move(seconds), {1e-3}};
    m.check.add(1 + error, 1, 1, [] { return "point 7"; });
    return m;
}

} // namespace

TEST_CASE("a comparison keeps the largest error and where it is", "[check]")
{
    comparison c{1e-3};
    c.add(1.0, 1.0, 1.0, [] { return "first"; });
    CHECK(c.worst.empty());
    c.add(10.001, 10.0, 10.0, [] { return "second"; });
    CHECK(c.good());
    CHECK(c.absolute == Approx(0.001));
    c.add(2.5, 2.0, 2.0, [] { return "third"; });
    c.add(3.0, 3.0, 3.0, [] { return "fourth"; });
    CHECK_FALSE(c.good());
    CHECK(c.samples == 4);
    CHECK(c.worst == "third: 2.5 instead of 2");
}

TEST_CASE("a value that is not finite is wrong", "[check]")
{
    comparison c{1e30};
    c.add(std::numeric_limits<double>::quiet_NaN(), 1, 1, [] { return "here"; });
    CHECK_FALSE(c.good());
}

TEST_CASE("figures divide medians, and are silent about what did not run", "[table]")
{
    const std::vector<measurement> rows{row("cuda", {1, 2, 9}), row("rival", {1, 4, 5})};
    CHECK(figure("name", rows, "cuda", "rival") == "figure: name 0.500\n");
    CHECK(figure("name", rows, "cuda", "cpu").empty());
    CHECK(gpu_of(rows) == "cuda");
    CHECK(gpu_of({}) == "opencl");
}

TEST_CASE("the table has a line per device; wrong results say where", "[table]")
{
    const std::vector<measurement> rows{row("cpu", {2}), row("cuda", {1}, 0.5)};
    const auto text = table_of(rows, {{"Gthings/s", 8, "things_per_s", 1e9}});
    CHECK_THAT(text, Contains("Gthings/s") && Contains("4.00") && Contains("0.50x") && Contains("WRONG"));
    const auto check = check_text(rows, {"points", " m", "their sum"});
    CHECK_THAT(check, Contains("1 points") && Contains("0.5 m") && Contains("WRONG") &&
                          Contains("cuda: point 7: 1.5 instead of 1"));
    CHECK_FALSE(all_good(rows));
}

TEST_CASE("durations have the unit that fits", "[table]")
{
    CHECK(duration_text(1.234) == "1.23 s");
    CHECK(duration_text(0.01234) == "12.34 ms");
    CHECK(duration_text(1.2e-5) == "12.0 us");
}

TEST_CASE("CSV files have a line of names and one per device", "[table]")
{
    const auto file = std::filesystem::temp_directory_path() / ("apps_table_" + std::to_string(getpid()) + ".csv");
    const std::vector<rate> rates{{"G/s", 8, "per_s", 1e9}, {"GFLOP/s", 1, ""}};
    write_csv(file, {{{{"n", "100"}}, {row("cpu", {2, 4, 5})}, rates}, {{{"n", "7"}}, {row("cuda", {1})}, rates}});
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    CHECK(text == "device,hardware,n,runs,best_s,median_s,per_s,relative_error\ncpu,\"hardware\",100,3,2,4,2e+09,0\n"
                  "cuda,\"hardware\",7,1,1,1,8e+09,0\n");
    std::filesystem::remove(file);
    CHECK_THROWS_AS(write_csv("/nowhere/at/all.csv", {{}}), input_error);
}
