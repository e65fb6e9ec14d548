// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

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
    where = {first[0],
             first[1],
             first[2],
             step[0],
             step[1],
             step[2],
             static_cast<unsigned>(n[1]),
             static_cast<float>(coulomb_constant),
             static_cast<float>(nearest * nearest)};
}

std::array<double, 3> grid::position(const extents& point) const
{
    const auto along = [&](float origin, float step, std::size_t d) {
        return static_cast<double>(origin) + static_cast<double>(step) * static_cast<double>(point[d]);
    };
    return {along(where.x0, where.hx, 0), along(where.y0, where.hy, 1), along(where.z0, where.hz, 2)};
}

} // namespace coulomb
