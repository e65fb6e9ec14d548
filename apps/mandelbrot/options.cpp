// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"
#include "apps/shared/sizes.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace mandelbrot
{
namespace
{

constexpr std::size_t largest_side = 1 << 16;
constexpr int most_iterations = 1 << 24; // counted in single precision
constexpr std::size_t largest_shrink = 64;

constexpr const char* about = "The Mandelbrot set as a picture: the escape time of each pixel by one sk::map with its "
                              "position, coloured by a second\nthat fuses with it, on the devices that you choose.";

void check(options& o, const std::string& size)
{
    o.size = apps::parse_sizes<2>(size, "--size", largest_side);
    if (!std::isfinite(o.part.x) || !std::isfinite(o.part.y)) throw apps::input_error("--x, --y: a finite number");
    if (!(o.part.width > 0 && o.part.width <= 100))
        throw apps::input_error(fmt::format("--width {}: more than 0, at most 100", o.part.width));
    if (o.iterations < 1 || o.iterations > most_iterations)
        throw apps::input_error(fmt::format("--iterations {}: 1 to {}", o.iterations, most_iterations));
    if (o.shrink < 1 || o.shrink > largest_shrink)
        throw apps::input_error(fmt::format("--shrink {}: 1 to {}", o.shrink, largest_shrink));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    std::string size = "4096,3072";
    apps::command_line line("mandelbrot", about, {true, "write the picture to this PNG file"}, o);
    line.option("--size", size, "pixels: columns,rows or one number");
    line.option("--x", o.part.x, "real part of the middle");
    line.option("--y", o.part.y, "imaginary part of the middle");
    line.option("--width", o.part.width, "of the part of the plane that is shown");
    line.option("--iterations", o.iterations, "a point that stays so long is inside; rounded up to eights");
    line.option("--shrink", o.shrink, "N x N pixels become one of the PNG file: smooth edges");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o, size);
    return o;
}

} // namespace mandelbrot
