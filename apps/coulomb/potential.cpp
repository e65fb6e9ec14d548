// SPDX-License-Identifier: BSD-3-Clause
#include "potential.hpp"

namespace coulomb
{

grid::grid(const region& r, const extents& n) : size(n)
{
    std::array<float, 3> first{}, step{};
    for (std::size_t d = 0; d < 3; ++d) {
        const double h = (r.high[d] - r.low[d]) / static_cast<double>(n[d]);
        step[d] = static_cast<float>(h);
        first[d] = static_cast<float>(r.low[d] + 0.5 * h); // points are the middles of equal cells
    }
    const auto [x, y, z] = first;
    const auto [hx, hy, hz] = step;
    const auto scale = static_cast<float>(coulomb_constant), near2 = static_cast<float>(nearest * nearest);
    where = {x, y, z, hx, hy, hz, static_cast<unsigned>(n[1]), scale, near2};
}

std::array<double, 3> grid::position(const extents& point) const
{
    const auto along = [&](float origin, float step, std::size_t d) {
        return static_cast<double>(origin) + static_cast<double>(step) * static_cast<double>(point[d]);
    };
    return {along(where.x0, where.hx, 0), along(where.y0, where.hy, 1), along(where.z0, where.hz, 2)};
}

skelrt::vector<point_charge> charges_of(const molecule& m)
{
    skelrt::vector<point_charge> result(m.atoms.size(), skelrt::uninitialized);
    const auto to = skelrt::host_write(result);
    for (std::size_t i = 0; i < m.atoms.size(); ++i) {
        const auto& a = m.atoms[i];
        to[i] = {static_cast<float>(a.at[0]), static_cast<float>(a.at[1]), static_cast<float>(a.at[2]),
                 static_cast<float>(a.charge)};
    }
    return result;
}

std::vector<float> values_of(const field& f)
{
    std::vector<float> result;
    result.reserve(f.where.points());
    const auto from = skelrt::host_read(f.values);
    for (std::size_t row = 0; row < f.where.rows(); ++row) {
        const float* first = from[row].data()->v;
        result.insert(result.end(), first, first + f.where.size[0]);
    }
    return result;
}

} // namespace coulomb
