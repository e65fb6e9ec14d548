// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"

#include <string>

#include <fmt/format.h>

namespace jacobi
{
namespace
{

constexpr std::size_t largest_size = 1 << 16;
constexpr std::size_t most_steps = 10'000'000;

constexpr const char* about =
    "Jacobi's method for u_xx + u_yy = f on the unit square, u = 0 on its edges, by sk::stencil on the devices that "
    "you\n"
    "choose. Problem 1 has the solution (x - x^2)(y - y^2), problem 2 (3 x^3 - x^2 - 2 x)(2 y^3 - y^2 - y).";

void check(options& o, const std::string& problem, const apps::command_line& line)
{
    if (problem != "1" && problem != "2" && problem != "both")
        throw apps::input_error(fmt::format("--problem {}: 1, 2 or both", problem));
    o.problem = problem == "both" ? 0 : std::stoi(problem);
    if (o.size < 3 || o.size > largest_size)
        throw apps::input_error(fmt::format("--size {}: 3 to {}", o.size, largest_size));
    if (o.until && !line.given("--steps")) o.steps = most_steps;
    if (o.steps > most_steps) throw apps::input_error(fmt::format("--steps {}: at most {}", o.steps, most_steps));
    if (o.until && !(*o.until > 0)) throw apps::input_error(fmt::format("--until {}: more than 0", *o.until));
    if (o.check_every < 1) throw apps::input_error("--check-every 0: at least 1");
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    std::string problem = "both";
    apps::command_line line("jacobi", about, {false, "write what the last problem has come to to this PNG file"}, o);
    line.option("--problem", problem, "1, 2 or both");
    line.option("--size", o.size, "grid points along an edge of the square, those on it included");
    line.option("--steps", o.steps, "steps of each run; with --until: at most");
    line.without_default("--until", o.until, "go on until no step changes a value by more than this");
    line.option("--check-every", o.check_every, "how often --until looks");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o, problem, line);
    return o;
}

} // namespace jacobi
