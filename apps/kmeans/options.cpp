// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

namespace kmeans
{

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("kmeans",
                            "Lloyd's iterations: points go to the nearest centre, and centres to the middle of their "
                            "points, by an sk::for_each\nwith an accumulator, on the devices that you choose.",
                            {false, "write the clusters (of two dimensions) to this PNG file"}, o);
    line.option("--points", o.points, "how many, around 16 places");
    line.option("--dimensions", o.dimensions, "of a point: 2, 3, 4 or 8");
    line.option("--clusters", o.clusters, "how many centres");
    line.option("--iterations", o.iterations, "of each run");
    if (!line.parse(argc, argv)) return std::nullopt;
    apps::check_range<std::size_t>("--points", o.points, 1, 1 << 30);
    if (o.dimensions != 2 && o.dimensions != 3 && o.dimensions != 4 && o.dimensions != 8)
        throw apps::input_error(fmt::format("--dimensions {}: points have 2, 3, 4 or 8", o.dimensions));
    apps::check_range<std::size_t>("--clusters", o.clusters, 1, std::min<std::size_t>(o.points, 1024));
    apps::check_range<std::size_t>("--iterations", o.iterations, 1, 1'000'000);
    if (!o.picture.empty() && o.dimensions != 2)
        throw apps::input_error(fmt::format("--picture: of two dimensions, not of {}", o.dimensions));
    return o;
}

} // namespace kmeans
