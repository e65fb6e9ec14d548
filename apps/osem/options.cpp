// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

namespace osem
{

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line(
        "osem",
        "Positron emission tomography: list-mode OSEM along Siddon's paths, by an sk::for_each that "
        "adds to voxels anywhere,\non the devices that you choose.",
        {false, "write the slice in the middle to this PNG file"}, o);
    line.option("--size", o.size, "voxels along an edge of the image");
    line.option("--events", o.events, "decays that were seen");
    line.option("--subsets", o.subsets, "each changes the image once an iteration");
    line.option("--iterations", o.iterations, "through all events");
    if (!line.parse(argc, argv)) return std::nullopt;
    apps::check_range("--size", o.size, 4, 1024);
    apps::check_range<std::size_t>("--events", o.events, 1, std::size_t{1} << 32);
    apps::check_range<std::size_t>("--subsets", o.subsets, 1, o.events);
    apps::check_range<std::size_t>("--iterations", o.iterations, 1, 1000);
    return o;
}

} // namespace osem
