// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/sizes.hpp"

#include <string>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

constexpr std::size_t largest_edge = 4096;
constexpr std::size_t largest_grid = std::size_t{1} << 33;
constexpr std::size_t most_copies = 100;

constexpr const char* about =
    "Coulombic potential of a molecular system on a 3-D grid, in kJ/(mol e): the direct sum over all charges,\n"
    "without periodic images, by one sk::map on the devices that you choose.";

/// Options as words, until they are checked.
struct raw_options {
    std::string grid = "128", copies = "1";
    long long slice = 0;
};

void describe(apps::command_line& line, options& o, raw_options& raw)
{
    line.without_default("--input", o.input,
                         "molecule: a .gro file (SPC water, single ions) or a .pqr file; default: a water box");
    line.option("--replicate", raw.copies, "copies of the periodic box: NX,NY,NZ or one number");
    line.option("--grid", raw.grid, "grid points: NX,NY,NZ or one number");
    line.without_default("--slice", raw.slice, "z index of the slice that is drawn; default: the middle");
}

void check(options& o, const raw_options& raw, bool has_slice)
{
    o.grid = apps::parse_sizes<3>(raw.grid, "--grid", largest_edge);
    if (o.grid[0] * o.grid[1] * o.grid[2] > largest_grid)
        throw input_error(fmt::format("--grid {}: more than {} points", raw.grid, largest_grid));
    o.copies = apps::parse_sizes<3>(raw.copies, "--replicate", most_copies);
    if (!has_slice) return;
    if (raw.slice < 0 || static_cast<std::size_t>(raw.slice) >= o.grid[2])
        throw input_error(fmt::format("--slice {}: the grid has the slices 0 to {}", raw.slice, o.grid[2] - 1));
    o.slice = static_cast<std::size_t>(raw.slice);
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    raw_options raw;
    apps::command_line line("coulomb", about, {true, "write the slice to this PNG file"}, o);
    describe(line, o, raw);
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o, raw, line.given("--slice"));
    return o;
}

} // namespace coulomb
