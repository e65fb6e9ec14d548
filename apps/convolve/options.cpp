// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

namespace convolve
{

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    o.repeat = 3;
    apps::command_line line("convolve",
                            "Filters of many widths, all weights of a square at once, by an sk::stencil whose weights "
                            "are a container,\non the devices that you choose.",
                            {}, o);
    line.option("--size", o.sizes, "edges of square pictures, with commas");
    line.option("--width", o.widths, "of filters: odd numbers, with commas");
    if (!line.parse(argc, argv)) return std::nullopt;
    for (const std::size_t n : o.sizes) apps::check_range<std::size_t>("--size", n, 1, 1 << 15);
    for (const int w : o.widths) {
        apps::check_range("--width", w, 1, 63);
        if (w % 2 == 0) throw apps::input_error(fmt::format("--width {}: filters have a middle, so it is odd", w));
    }
    return o;
}

} // namespace convolve
