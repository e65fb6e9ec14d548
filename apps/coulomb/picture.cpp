// SPDX-License-Identifier: BSD-3-Clause
#include "picture.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

using apps::plot;

constexpr double reach = 0.09; ///< nm: atoms as near to the slice as this are drawn
constexpr int lines = 20;      ///< contour lines

apps::axis axis_of(const char* label, float first, float step, std::size_t count)
{
    const double low = static_cast<double>(first) - 0.5 * static_cast<double>(step);
    return {label, low, low + static_cast<double>(step) * static_cast<double>(count)};
}

/// Nearer to the slice is more solid.
void draw_atom(apps::canvas& to, apps::point at, float radius, bool light, float nearness)
{
    const float weight = 0.25f + 0.75f * nearness;
    to.disc(at, radius, plot::ink, weight);
    to.disc(at, radius - 1.6f, light ? plot::paper : apps::colour{0.30f, 0.32f, 0.37f}, weight);
}

void draw_atoms(plot& to, const molecule& m, double z)
{
    for (const auto& a : m.atoms) {
        const double away = std::abs(a.at[2] - z) / reach;
        const apps::point p = to.pixel_of(a.at[0], a.at[1]);
        if (away > 1 || !to.inside(p)) continue;
        const float radius = (a.element == 'H' ? 0.018f : 0.032f) * to.pixels_per_x();
        draw_atom(to.picture(), p, std::clamp(radius, 1.5f, 16.0f), a.element == 'H', static_cast<float>(1 - away));
    }
}

} // namespace

apps::field slice_of(const grid& g, const std::vector<float>& values, std::size_t z)
{
    const std::size_t count = g.size[0] * g.size[1];
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(z * count);
    return {g.size[0], g.size[1], std::vector<float>(first, first + static_cast<std::ptrdiff_t>(count))};
}

void draw(const std::filesystem::path& file, const grid& g, const std::vector<float>& values, const molecule& m,
          std::size_t z)
{
    const auto slice = slice_of(g, values, z);
    const float limit = apps::colour_limit(slice, 0.97);
    plot p(slice, axis_of("x / nm", g.where.x0, g.where.hx, g.size[0]),
           axis_of("y / nm", g.where.y0, g.where.hy, g.size[1]), {-limit, limit, apps::blue_to_red, lines});
    const double height = g.position({0, 0, z})[2];
    draw_atoms(p, m, height);
    apps::write_png(
        file, p.finished({fmt::format("Coulomb potential at z = {:.3f} nm", height),
                          fmt::format("{} atoms, {} x {} x {} points", m.atoms.size(), g.size[0], g.size[1], g.size[2]),
                          "kJ/(mol e)"}));
}

} // namespace coulomb
