// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

struct sum {
    double value = 0, magnitude = 0;
};

/// The formula as one would write it down.
sum potential_at(const std::array<double, 3>& p, const molecule& m)
{
    sum s;
    for (const auto& a : m.atoms) {
        const double dx = p[0] - a.at[0], dy = p[1] - a.at[1], dz = p[2] - a.at[2];
        const double distance = std::max(std::sqrt(dx * dx + dy * dy + dz * dz), nearest);
        const double term = coulomb_constant * a.charge / distance;
        s.value += term;
        s.magnitude += std::abs(term);
    }
    return s;
}

} // namespace

apps::comparison compare(const grid& g, const std::vector<float>& values, const molecule& m, std::size_t samples)
{
    apps::comparison result{tolerance};
    std::mt19937_64 random(20240229);
    for (std::size_t k = 0; k < std::min(samples, g.points()); ++k) {
        // The first and the last point always; they are where a wrong split shows first.
        const std::size_t i = k == 0 ? 0 : k == 1 ? g.points() - 1 : random() % g.points();
        const extents point{i % g.size[0], i / g.size[0] % g.size[1], i / g.size[0] / g.size[1]};
        const sum s = potential_at(g.position(point), m);
        result.add(static_cast<double>(values[i]), s.value, s.magnitude,
                   [&] { return fmt::format("point {}, {}, {}", point[0], point[1], point[2]); });
    }
    return result;
}

} // namespace coulomb
