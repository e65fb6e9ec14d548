// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"

#include <fmt/format.h>

namespace farm
{
namespace
{

constexpr std::size_t most = 10'000, largest_side = 1 << 14;

constexpr const char* about =
    "Studies plates that cool down, pictures and a signal: first by skeleton calls one after the other, then by "
    "farms.\n"
    "One farm has an item for each kind, these have farms over plates and pictures, and a picture has one of colours.";

void check(const options& o)
{
    if (o.count < 1 || o.count > most) throw apps::input_error(fmt::format("--count {}: 1 to {}", o.count, most));
    if (o.size < 1 || o.size > largest_side)
        throw apps::input_error(fmt::format("--size {}: 1 to {}", o.size, largest_side));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("farm", about, {}, o);
    line.option("--count", o.count, "plates, and pictures");
    line.option("--size", o.size, "rows and columns of each");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o);
    return o;
}

} // namespace farm
