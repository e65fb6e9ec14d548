// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"
#include "apps/shared/sizes.hpp"

#include <string>

#include <fmt/format.h>

namespace video
{
namespace
{

constexpr std::size_t largest_side = 1 << 14, most_frames = 100'000;

constexpr const char* about =
    "Edges in the frames of a film: a Gaussian, Sobel's gradient, thinning and two thresholds by sk::stencil, on the\n"
    "devices that you choose. An sk::pipeline keeps several frames under way, and writes them in their order.";

void check(options& o, const std::string& size)
{
    o.size = apps::parse_sizes<2>(size, "--size", largest_side);
    if (o.frames < 1 || o.frames > most_frames)
        throw apps::input_error(fmt::format("--frames {}: 1 to {}", o.frames, most_frames));
    if (!o.output.empty() && !std::filesystem::is_directory(o.output))
        throw apps::input_error(fmt::format("--output: there is no folder {}", o.output.string()));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    std::string size = "640,480";
    apps::command_line line("video", about, {}, o);
    line.without_default("--input", o.input, "folder of frames, PNG files; default: a scene that moves");
    line.without_default("--output", o.output, "folder for the edges of each frame, as PNG files");
    line.option("--size", size, "pixels of the scene: columns,rows or one number");
    line.option("--frames", o.frames, "of the scene");
    line.option("--window", o.window, "frames under way at a time; 0: four a core");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o, size);
    return o;
}

} // namespace video
