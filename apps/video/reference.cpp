// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <cmath>

#include <fmt/format.h>

namespace video
{
namespace
{

using apps::plain_grid;

struct slope {
    double dx = 0, dy = 0;
    double steepness() const { return std::abs(dx) + std::abs(dy); }
};

/// In grey values.
plain_grid<double> smoothed(const grey& picture)
{
    constexpr double weight[] = {1, 4, 6, 4, 1};
    const auto host = skelrt::host_read(picture);
    const int rows = static_cast<int>(picture.rows()), cols = static_cast<int>(picture.cols());
    const plain_grid<double> from(rows, cols, [&](int r, int c) { return host(r, c); });
    return {rows, cols, [&](int r, int c) {
                double sum = 0;
                for (int i = -2; i <= 2; ++i)
                    for (int j = -2; j <= 2; ++j) sum += weight[i + 2] * weight[j + 2] * from.nearest(r + i, c + j);
                return sum / 256;
            }};
}

slope slope_at(const plain_grid<double>& u, int r, int c)
{
    slope s;
    for (int k = -1; k <= 1; ++k) {
        const int weight = k == 0 ? 2 : 1;
        s.dx += weight * (u.nearest(r + k, c + 1) - u.nearest(r + k, c - 1)) / 8;
        s.dy += weight * (u.nearest(r + 1, c + k) - u.nearest(r - 1, c + k)) / 8;
    }
    return s;
}

int mark_at(const plain_grid<slope>& u, int r, int c, const thresholds& t)
{
    const slope s = u.nearest(r, c);
    const double x = std::abs(s.dx), y = std::abs(s.dy), here = s.steepness(), flat = 0.4142f;
    const int i = y < flat * x ? 0 : 1, j = y < flat * x ? 1 : x < flat * y ? 0 : s.dx * s.dy > 0 ? 1 : -1;
    if (here <= u.or_zero(r + i, c + j).steepness() || here < u.or_zero(r - i, c - j).steepness()) return 0;
    return here < t.maybe ? 0 : here < t.sure ? 1 : 2;
}

int grown_at(const plain_grid<int>& u, int r, int c)
{
    bool touches = false;
    for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) touches = touches || u.or_zero(r + i, c + j) == 2;
    return u.nearest(r, c) == 1 && touches ? 2 : u.nearest(r, c);
}

} // namespace

plain_grid<int> plain_marked(const grey& picture, const thresholds& t)
{
    const auto smooth = smoothed(picture);
    const plain_grid<slope> slopes(smooth.rows, smooth.cols, [&](int r, int c) { return slope_at(smooth, r, c); });
    return {smooth.rows, smooth.cols, [&](int r, int c) { return mark_at(slopes, r, c, t); }};
}

plain_grid<int> plain_edges(const grey& picture)
{
    auto marks = plain_marked(picture, {});
    for (int k = 0; k < growth; ++k)
        marks = plain_grid<int>(marks.rows, marks.cols, [&](int r, int c) { return grown_at(marks, r, c); });
    return marks;
}

void compare(apps::comparison& with, std::size_t number, const apps::image& edges, const plain_grid<int>& right)
{
    for (std::size_t i = 0; i < edges.pixels(); ++i)
        with.add(edges.bytes[3 * i], right.values[i] == 2 ? 255 : 0, 255,
                 [&] { return fmt::format("frame {}, row {}, column {}", number, i / edges.width, i % edges.width); });
}

} // namespace video
