// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/hybrid/hybrid_plot.hpp"

#include "apps/shared/picture/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace bench
{
namespace
{

using apps::canvas;
using apps::colour;
using apps::point;

constexpr float panel_width = 700, panel_height = 520, left = 70, right = 20, top = 76, bottom = 60, text_height = 9;
constexpr colour ink{0.13f, 0.14f, 0.17f}, paper{0.985f, 0.985f, 0.98f}, grid{0.86f, 0.87f, 0.88f};
constexpr int first_power = 3, last_power = 9;       // of ten, elements
constexpr double least_ratio = 0.25, most_ratio = 8; // beyond, dots stick to the edge

struct series {
    std::string_view name;
    colour paint;
    std::optional<double> (*seconds)(const hybrid_point&);
};

std::optional<double> policy_time(const hybrid_point& p, const char* policy)
{
    const auto it = p.policies.find(policy);
    return it == p.policies.end() ? std::nullopt : std::optional(it->second);
}

constexpr series all_series[] = {
    {"dmda", {0.90f, 0.60f, 0.00f}, [](const hybrid_point& p) { return policy_time(p, "dmda"); }},
    {"dmdas", {0.80f, 0.40f, 0.00f}, [](const hybrid_point& p) { return policy_time(p, "dmdas"); }},
    {"best split",
     {0.00f, 0.62f, 0.45f},
     [](const hybrid_point& p) { return !p.searched ? std::nullopt : std::optional(p.best_split()); }},
    {"automatic",
     {0.00f, 0.45f, 0.70f},
     [](const hybrid_point& p) { return std::optional(p.of_best_single() * p.best_single()); }},
};

class panel
{
public:
    panel(canvas& picture, float x, std::string_view title, std::span<const series> shown)
        : picture_(picture), x_(x), shown_(shown)
    {
        picture_.text({x_ + left, 28}, title, 12, ink);
        for (int p = first_power; p <= last_power; ++p) {
            const double elements = std::pow(10, p);
            const point foot = pixel(elements, least_ratio);
            picture_.line(foot, pixel(elements, most_ratio), 1, grid);
            label({foot.x, foot.y + 18}, p < 4 ? "1000" : fmt::format("1e{}", p), 0.5f);
        }
        for (double ratio = least_ratio; ratio <= most_ratio; ratio *= 2) {
            const point foot = pixel(std::pow(10, first_power), ratio);
            picture_.line(foot, pixel(std::pow(10, last_power), ratio), ratio == 1 ? 2.0f : 1.0f,
                          ratio == 1 ? ink : grid);
            label({foot.x - 8, foot.y + text_height / 2}, fmt::format("{}", ratio), 1);
        }
        label({x_ + panel_width - right, panel_height - bottom + 40}, "elements", 1);
        float legend = x_ + left;
        for (const series& s : shown_) {
            picture_.disc({legend + 4, 50}, 4, s.paint);
            picture_.text({legend + 14, 54}, s.name, text_height, ink);
            legend += 34 + canvas::text_width(s.name, text_height);
        }
    }

    void draw(const hybrid_point& p)
    {
        for (const series& s : shown_)
            if (const auto t = s.seconds(p))
                picture_.disc(pixel(static_cast<double>(p.elements), *t / p.best_single()), 3, s.paint, 0.7f);
    }

private:
    point pixel(double elements, double ratio) const
    {
        const double x = (std::log10(elements) - first_power) / (last_power - first_power);
        const double y =
            std::log(std::clamp(ratio, least_ratio, most_ratio) / least_ratio) / std::log(most_ratio / least_ratio);
        return {x_ + left + static_cast<float>(x) * (panel_width - left - right),
                panel_height - bottom - static_cast<float>(y) * (panel_height - top - bottom)};
    }
    /// `align`: the part of the text that is left of `at`.
    void label(point at, const std::string& text, float align)
    {
        picture_.text({at.x - align * canvas::text_width(text, text_height), at.y}, text, text_height, ink);
    }

    canvas& picture_;
    float x_;
    std::span<const series> shown_;
};

} // namespace

void draw_points(const std::vector<hybrid_point>& points, const std::filesystem::path& picture)
{
    canvas all(2 * static_cast<int>(panel_width), static_cast<int>(panel_height), paper);
    std::vector<series> shown; // what was not run has no place in the legend
    std::ranges::copy_if(all_series, std::back_inserter(shown), [&](const series& s) {
        return std::ranges::any_of(points, [&](const hybrid_point& p) { return s.seconds(p).has_value(); });
    });
    panel host(all, 0, "time over that of the best single device: data in host memory", shown);
    panel gpu(all, panel_width, "the same: data on the GPU", shown);
    for (const hybrid_point& p : points) (p.from_host ? host : gpu).draw(p);
    apps::write_png(picture, all.finished());
}

} // namespace bench
