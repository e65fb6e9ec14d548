// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"

#include <fmt/format.h>

namespace ode
{
namespace
{

constexpr std::size_t largest_size = 1 << 14;

constexpr const char* about =
    "An embedded Runge-Kutta method (Fehlberg's of orders 4 and 5) that controls its steps on the devices, for the\n"
    "Brusselator with diffusion on the unit square (BRUSS2D-MIX).";

void check(const options& o)
{
    if (o.size < 1 || o.size > largest_size)
        throw apps::input_error(fmt::format("--size {}: 1 to {}", o.size, largest_size));
    if (!(o.end > 0) || o.end > 1000)
        throw apps::input_error(fmt::format("--end {}: more than 0, at most 1000", o.end));
    if (!(o.tolerance >= 1e-12 && o.tolerance <= 0.1))
        throw apps::input_error(fmt::format("--tolerance {}: 1e-12 to 0.1", o.tolerance));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("ode", about, {false, "write u at the end to this PNG file"}, o);
    line.option("--size", o.size, "cells along an edge of the square");
    line.option("--end", o.end, "the time at which the solution is wanted");
    line.option("--tolerance", o.tolerance, "of a step's error, over 1 + |value|");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o);
    return o;
}

} // namespace ode
