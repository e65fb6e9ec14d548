// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/sizes.hpp"

#include <string>

namespace canny
{

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    std::string size = "1920,1080";
    apps::command_line line("canny",
                            "Canny's edges in a picture: a Gaussian, Sobel's gradient, thinning, two thresholds and "
                            "hysteresis by sk::stencil,\non the devices that you choose.",
                            {false, "write the edges to this PNG file"}, o);
    line.without_default("--input", o.input, "a PNG file; default: a scene");
    line.option("--size", size, "pixels of the scene: columns,rows or one number");
    line.option("--sure", o.limits.sure, "what is as steep is an edge: grey values a pixel");
    line.option("--maybe", o.limits.maybe, "and this, if it touches one");
    line.option("--check-every", o.check_every, "how often hysteresis looks whether it has ended");
    if (!line.parse(argc, argv)) return std::nullopt;
    o.size = apps::parse_sizes<2>(size, "--size", 1 << 15);
    apps::check_range("--sure", o.limits.sure, 0.0f, 1000.0f);
    apps::check_range("--maybe", o.limits.maybe, 0.0f, o.limits.sure);
    apps::check_range<std::size_t>("--check-every", o.check_every, 1, 1'000'000);
    return o;
}

} // namespace canny
