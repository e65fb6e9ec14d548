// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"
#include "apps/shared/sizes.hpp"

#include <string>

#include <fmt/format.h>

namespace heat
{
namespace
{

constexpr std::size_t largest_edge = 1 << 16;
constexpr std::size_t most_points = std::size_t{1} << 33;
constexpr std::size_t most_steps = 100'000'000;

constexpr const char* about = "Heat flows through a plate or a block with hot spots and cold edges: explicit steps by "
                              "sk::stencil on the devices\n"
                              "that you choose, compared with the exact temperatures.";

/// Options as words, until they are checked.
struct raw_options {
    int dimensions = 2;
    std::string grid;
};

extents size_of(const raw_options& raw)
{
    if (raw.dimensions == 3) {
        const auto n = apps::parse_sizes<3>(raw.grid.empty() ? "512" : raw.grid, "--grid", largest_edge);
        return {n[0], n[1], n[2], false};
    }
    if (raw.dimensions != 2) throw apps::input_error(fmt::format("--dimensions {}: 2 or 3", raw.dimensions));
    const auto n = apps::parse_sizes<2>(raw.grid.empty() ? "4096" : raw.grid, "--grid", largest_edge);
    return {n[0], n[1], 1, true};
}

void check(options& o, const raw_options& raw, const apps::command_line& line)
{
    o.size = size_of(raw);
    if (o.size.points() > most_points)
        throw apps::input_error(fmt::format("--grid {}: more than {} points", raw.grid, most_points));
    if (o.steps > most_steps) throw apps::input_error(fmt::format("--steps {}: at most {}", o.steps, most_steps));
    const double largest = 1.0 / (2 * o.size.dimensions());
    if (!line.given("--alpha")) o.alpha = 0.8 * largest;
    if (!(o.alpha > 0 && o.alpha <= largest))
        throw apps::input_error(fmt::format("--alpha {}: more than 0, and at most {:.4g}: beyond, explicit steps in {} "
                                            "dimensions are not stable",
                                            o.alpha, largest, o.size.dimensions()));
    if (!line.given("--slice")) o.slice = o.size.z / 2;
    if (o.slice >= o.size.z)
        throw apps::input_error(fmt::format("--slice {}: the grid has the planes 0 to {}", o.slice, o.size.z - 1));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    raw_options raw;
    apps::command_line line("heat", about, {false, "write the temperatures at the end to this PNG file"}, o);
    line.option("--dimensions", raw.dimensions, "2: a plate, 3: a block");
    line.without_default("--grid", raw.grid, "points along x, y (and z), or one number; default: 4096, or 512 in 3-D");
    line.option("--steps", o.steps, "time steps of each run");
    line.without_default("--alpha", o.alpha, "conductivity * time step / distance^2; default: 0.8 of what is stable");
    line.without_default("--slice", o.slice, "plane of a block that is drawn; default: the middle");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o, raw, line);
    return o;
}

} // namespace heat
