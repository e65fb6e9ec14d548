// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "pictures.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace video
{
namespace
{

/// Values of a picture; beyond its edge are those at the edge.
template <class T>
struct plane {
    int rows, cols;
    std::vector<T> values;
    plane(int rows, int cols) : rows(rows), cols(cols), values(static_cast<std::size_t>(rows) * cols) {}
    T& at(int r, int c) { return values[static_cast<std::size_t>(r) * cols + c]; }
    T nearest(int r, int c) const
    {
        return values[static_cast<std::size_t>(std::clamp(r, 0, rows - 1)) * cols + std::clamp(c, 0, cols - 1)];
    }
    T or_zero(int r, int c) const { return r < 0 || c < 0 || r >= rows || c >= cols ? T{} : nearest(r, c); }
};

struct slope {
    double dx = 0, dy = 0;
    double steepness() const { return std::abs(dx) + std::abs(dy); }
};

template <class T, class Pixel>
plane<T> each(int rows, int cols, Pixel pixel)
{
    plane<T> result(rows, cols);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) result.at(r, c) = pixel(r, c);
    return result;
}

/// In grey values.
plane<double> blurred(const plane<float>& from)
{
    constexpr double weight[] = {1, 4, 6, 4, 1};
    return each<double>(from.rows, from.cols, [&](int r, int c) {
        double sum = 0;
        for (int i = -2; i <= 2; ++i)
            for (int j = -2; j <= 2; ++j) sum += weight[i + 2] * weight[j + 2] * from.nearest(r + i, c + j);
        return sum / 256;
    });
}

slope slope_at(const plane<double>& u, int r, int c)
{
    slope s;
    for (int k = -1; k <= 1; ++k) {
        const int weight = k == 0 ? 2 : 1;
        s.dx += weight * (u.nearest(r + k, c + 1) - u.nearest(r + k, c - 1)) / 8;
        s.dy += weight * (u.nearest(r + 1, c + k) - u.nearest(r - 1, c + k)) / 8;
    }
    return s;
}

int mark_at(const plane<slope>& u, int r, int c, const thresholds& t)
{
    const slope s = u.nearest(r, c);
    const double x = std::abs(s.dx), y = std::abs(s.dy), here = s.steepness(), flat = 0.4142f;
    const int i = y < flat * x ? 0 : 1, j = y < flat * x ? 1 : x < flat * y ? 0 : s.dx * s.dy > 0 ? 1 : -1;
    if (here <= u.or_zero(r + i, c + j).steepness() || here < u.or_zero(r - i, c - j).steepness()) return 0;
    return here < t.maybe ? 0 : here < t.sure ? 1 : 2;
}

int grown_at(const plane<int>& u, int r, int c)
{
    bool touches = false;
    for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) touches = touches || u.or_zero(r + i, c + j) == 2;
    return u.nearest(r, c) == 1 && touches ? 2 : u.nearest(r, c);
}

plane<int> marks_of(const apps::image& frame, const thresholds& t)
{
    const int rows = static_cast<int>(frame.height), cols = static_cast<int>(frame.width);
    plane<float> picture(rows, cols);
    picture.values = grey_values(frame);
    const auto smooth = blurred(picture);
    const auto slopes = each<slope>(rows, cols, [&](int r, int c) { return slope_at(smooth, r, c); });
    return each<int>(rows, cols, [&](int r, int c) { return mark_at(slopes, r, c, t); });
}

/// What may be an edge around one becomes one, and is to be looked around in turn.
void grow_around(plane<int>& marks, int r, int c, std::vector<std::pair<int, int>>& edges)
{
    for (int i = r - 1; i <= r + 1; ++i)
        for (int j = c - 1; j <= c + 1; ++j)
            if (marks.or_zero(i, j) == 1) marks.at(i, j) = 2, edges.emplace_back(i, j);
}

apps::image white_on_black(const plane<int>& marks)
{
    apps::image result(static_cast<std::size_t>(marks.cols), static_cast<std::size_t>(marks.rows));
    for (std::size_t i = 0; i < result.pixels(); ++i)
        std::fill_n(&result.bytes[3 * i], 3, static_cast<std::uint8_t>(marks.values[i] == 2 ? 255 : 0));
    return result;
}

} // namespace

apps::image plain_edges(const apps::image& frame)
{
    auto marks = marks_of(frame, {});
    for (int k = 0; k < growth; ++k)
        marks = each<int>(marks.rows, marks.cols, [&](int r, int c) { return grown_at(marks, r, c); });
    return white_on_black(marks);
}

apps::image plain_canny(const apps::image& frame, const thresholds& t)
{
    auto marks = marks_of(frame, t);
    std::vector<std::pair<int, int>> edges;
    for (int r = 0; r < marks.rows; ++r)
        for (int c = 0; c < marks.cols; ++c)
            if (marks.at(r, c) == 2) edges.emplace_back(r, c);
    while (!edges.empty()) {
        const auto [r, c] = edges.back();
        edges.pop_back();
        grow_around(marks, r, c, edges);
    }
    return white_on_black(marks);
}

void compare(apps::comparison& with, std::size_t number, const apps::image& edges, const apps::image& right)
{
    for (std::size_t i = 0; i < right.pixels(); ++i)
        with.add(edges.bytes[3 * i], right.bytes[3 * i], 255,
                 [&] { return fmt::format("frame {}, row {}, column {}", number, i / right.width, i % right.width); });
}

} // namespace video
