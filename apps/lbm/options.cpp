// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/sizes.hpp"

#include <string>

namespace lbm
{
namespace
{

/// The cylinder's size follows from the channel's, the viscosity from both and Reynolds' number.
flow flow_of(std::size_t cols, std::size_t rows, float speed, float reynolds)
{
    const float radius = static_cast<float>(rows) / 9;
    const float viscosity = speed * 2 * radius / reynolds;
    return {static_cast<int>(rows),
            static_cast<int>(cols),
            static_cast<float>(cols) / 5,
            static_cast<float>(rows) / 2,
            radius,
            speed,
            1 / (3 * viscosity + 0.5f)};
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    std::string size = "1024,384";
    float speed = 0.1f;
    apps::command_line line("lbm",
                            "Wind past a cylinder by the lattice Boltzmann method: an sk::stencil over cells of nine "
                            "densities (D2Q9, BGK), on\nthe devices that you choose.",
                            {false, "write the vorticity after the steps to this PNG file"}, o);
    line.option("--size", size, "cells: columns,rows or one number");
    line.option("--steps", o.steps, "time steps of each run");
    line.option("--speed", speed, "of the wind, in cells a step");
    line.option("--reynolds", o.reynolds, "speed times the cylinder's width over viscosity");
    if (!line.parse(argc, argv)) return std::nullopt;
    const auto cells = apps::parse_sizes<2>(size, "--size", 1 << 15);
    apps::check_range<std::size_t>("--size, columns", cells[0], 3, 1 << 15);
    apps::check_range<std::size_t>("--steps", o.steps, 0, 100'000'000);
    apps::check_range("--speed", speed, 0.001f, 0.2f);
    apps::check_range("--reynolds", o.reynolds, 1.0f, 1000.0f);
    o.wind = flow_of(cells[0], cells[1], speed, o.reynolds);
    return o;
}

} // namespace lbm
