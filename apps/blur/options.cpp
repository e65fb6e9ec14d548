// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"
#include "apps/shared/sizes.hpp"

#include <string>

#include <fmt/format.h>

namespace blur
{
namespace
{

constexpr std::size_t largest_side = 1 << 15;
constexpr int most_times = 10'000;
constexpr std::size_t largest_shrink = 64;

constexpr const char* about =
    "Gaussian blur of a colour picture with 19 x 19 neighbours: along rows and then down columns, or all at once, by\n"
    "sk::stencil on the devices that you choose. Filterings follow each other without going through main memory.";

form form_of(const std::string& name)
{
    if (name == "separable") return form::separable;
    if (name == "dense") return form::dense;
    throw apps::input_error(fmt::format("--form {}: it is separable or dense", name));
}

void check(options& o, const std::string& size, const std::string& how)
{
    o.size = apps::parse_sizes<2>(size, "--size", largest_side);
    o.how = form_of(how);
    if (!(o.sigma > 0 && o.sigma <= 1000))
        throw apps::input_error(fmt::format("--sigma {}: more than 0, at most 1000", o.sigma));
    if (o.times < 1 || o.times > most_times)
        throw apps::input_error(fmt::format("--times {}: 1 to {}", o.times, most_times));
    if (o.shrink < 1 || o.shrink > largest_shrink)
        throw apps::input_error(fmt::format("--shrink {}: 1 to {}", o.shrink, largest_shrink));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    std::string size = "4096,3072", how = "separable";
    apps::command_line line("blur", about, {true, "write the blurred picture to this PNG file"}, o);
    line.without_default("--input", o.input, "picture to blur, a PNG file; default: a test card");
    line.option("--size", size, "pixels of the test card: columns,rows or one number");
    line.option("--form", how, "separable: two passes of 19; dense: one of 361");
    line.option("--sigma", o.sigma, "standard deviation in pixels");
    line.option("--times", o.times, "filterings, one after the other, of each run");
    line.flag("--halves", o.halves, "the left half of the PNG file shows the picture as it was");
    line.option("--shrink", o.shrink, "N x N pixels become one of the PNG file");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o, size, how);
    return o;
}

} // namespace blur
