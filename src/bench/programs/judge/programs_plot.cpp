// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/judge/programs_plot.hpp"

#include "apps/shared/picture/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bench
{
namespace
{

using apps::colour;
using apps::point;

constexpr float width = 900, left = 190, right = 30, top = 60, line_height = 16, bottom = 40, text_height = 9;
constexpr colour ink{0.13f, 0.14f, 0.17f}, paper{0.985f, 0.985f, 0.98f}, grid{0.86f, 0.87f, 0.88f};
constexpr colour of_first{0.90f, 0.60f, 0.00f}, of_later{0.00f, 0.45f, 0.70f}, of_tenth{0.00f, 0.62f, 0.45f};
constexpr double least_ratio = 0.25, most_ratio = 4; // beyond, dots stick to the edge

float x_of(double ratio)
{
    const double part =
        std::log(std::clamp(ratio, least_ratio, most_ratio) / least_ratio) / std::log(most_ratio / least_ratio);
    return left + static_cast<float>(part) * (width - left - right);
}

} // namespace

void draw_programs(const std::vector<program_times>& all, const std::filesystem::path& picture)
{
    const float foot = top + line_height * static_cast<float>(all.size());
    apps::canvas to(static_cast<int>(width), static_cast<int>(foot + bottom), paper);
    to.text({left, 24}, "time of automatic placement over that of the best single kind of device", 11, ink);
    to.disc({left, 42}, 4, of_first);
    to.text({left + 10, 46}, "first run", text_height, ink);
    to.disc({left + 90, 42}, 4, of_later);
    to.text({left + 100, 46}, "later runs", text_height, ink);
    const bool ten = std::ranges::all_of(all, [](const program_times& t) { return t.automatic.size() >= 10; });
    if (ten) {
        to.disc({left + 200, 42}, 4, of_tenth);
        to.text({left + 210, 46}, "tenth run", text_height, ink);
    }
    for (double ratio = least_ratio; ratio <= most_ratio; ratio *= 2) {
        to.line({x_of(ratio), top}, {x_of(ratio), foot}, ratio == 1 ? 2.0f : 1.0f, ratio == 1 ? ink : grid);
        to.text({x_of(ratio) - 6, foot + 18}, fmt::format("{}", ratio), text_height, ink);
    }
    float y = top + line_height / 2;
    for (const program_times& t : all) {
        const std::string name = fmt::format("{} {}", t.name, t.size);
        to.text({left - 10 - apps::canvas::text_width(name, text_height), y + 4}, name, text_height, ink);
        to.disc({x_of(t.first()), y}, 4, of_first, 0.8f);
        to.disc({x_of(t.second()), y}, 4, of_later, 0.8f);
        if (ten) to.disc({x_of(t.tenth()), y}, 4, of_tenth, 0.8f);
        y += line_height;
    }
    apps::write_png(picture, to.finished());
}

} // namespace bench
