// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"

#include <fmt/format.h>

namespace sor
{
namespace
{

constexpr std::size_t largest_size = 1 << 15;
constexpr std::size_t most_sweeps = 1'000'000;

constexpr const char* about = "Red-black successive over-relaxation for u_xx + u_yy = f on the unit square, u = 0 on "
                              "its edges, by sk::stencil, with\n"
                              "the best factor for the grid. Problem 1 has the solution (x - x^2)(y - y^2), problem 2\n"
                              "(3 x^3 - x^2 - 2 x)(2 y^3 - y^2 - y).";

void check(options& o, const apps::command_line& line)
{
    if (o.problem != 1 && o.problem != 2) throw apps::input_error(fmt::format("--problem {}: 1 or 2", o.problem));
    if (o.size < 3 || o.size > largest_size)
        throw apps::input_error(fmt::format("--size {}: 3 to {}", o.size, largest_size));
    if (o.until && !line.given("--sweeps")) o.sweeps = most_sweeps;
    if (o.sweeps < 1 || o.sweeps > most_sweeps)
        throw apps::input_error(fmt::format("--sweeps {}: 1 to {}", o.sweeps, most_sweeps));
    if (o.until && !(*o.until > 0)) throw apps::input_error(fmt::format("--until {}: more than 0", *o.until));
    if (o.check_every < 1) throw apps::input_error("--check-every 0: at least 1");
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("sor", about, {false, "write the solution to this PNG file"}, o);
    line.option("--problem", o.problem, "1 or 2");
    line.option("--size", o.size, "grid points along an edge of the square, those on it included");
    line.option("--sweeps", o.sweeps, "sweeps of each run; with --until: at most");
    line.without_default("--until", o.until, "go on until no residual is more than this part of the largest source");
    line.option("--check-every", o.check_every, "how often --until looks");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o, line);
    return o;
}

} // namespace sor
