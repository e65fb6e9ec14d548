// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>
#include <skelrt/hood.hpp>

#include <cstddef>
#include <ostream>
#include <vector>

/// Stencils in plain sequential code, and grids cut into segments with what lies around them.
namespace stencil_reference
{

using namespace skelrt::detail;

struct layout {
    stencil_shape shape;
    std::size_t n[3] = {1, 1, 1}; ///< planes, rows, columns
    bool matrix = true;
    std::vector<std::size_t> lines{}; ///< of each segment on the axis that is cut; none: one segment
    unsigned steps = 1;
    int color = -1;

    int cut() const { return shape.rank == 3 ? 0 : matrix ? 1 : 2; }
    std::size_t size() const { return n[0] * n[1] * n[2]; }
    std::size_t line_size() const { return shape.rank == 3 ? n[1] * n[2] : matrix ? n[2] : 1; }
    std::size_t width() const { return shape.rank == 3 ? n[1] * n[2] : n[2]; }
};

inline std::ostream& operator<<(std::ostream& out, const layout& l)
{
    out << "rank " << l.shape.rank << (l.shape.down ? " down" : "") << (l.matrix ? "" : " vector") << ", " << l.n[0]
        << " x " << l.n[1] << " x " << l.n[2] << ", border " << int(l.shape.border) << ", reach";
    for (int a = 0; a < 3; ++a) out << ' ' << l.shape.before[a] << '/' << l.shape.after[a];
    out << ", " << l.lines.size() << " cuts, " << l.steps << " steps, color " << l.color;
    return out;
}

/// One axis of the border rule; false: outside.
inline bool fold(border_rule rule, long& i, long n)
{
    if (i >= 0 && i < n) return true;
    if (rule == border_rule::constant) return false;
    if (rule == border_rule::cyclic) i = (i % n + n) % n;
    else i = i < 0 ? 0 : n - 1;
    return true;
}

template <class T>
T element(const layout& l, const std::vector<T>& grid, long z, long y, long x, T outside)
{
    const long n[] = {long(l.n[0]), long(l.n[1]), long(l.n[2])};
    const bool in_z = fold(l.shape.border, z, n[0]), in_y = fold(l.shape.border, y, n[1]),
               in_x = fold(l.shape.border, x, n[2]);
    return in_z && in_y && in_x ? grid[static_cast<std::size_t>((z * n[1] + y) * n[2] + x)] : outside;
}

/// The elements and a margin as wide as the reach.
template <class T>
struct padded {
    std::vector<T> values;
    long plane, row;
    const T* first;

    padded(const layout& l, const std::vector<T>& grid, T outside)
    {
        const auto before = [&](int a) { return long(l.shape.before[a]); };
        const auto all = [&](int a) { return long(l.n[a] + l.shape.before[a] + l.shape.after[a]); };
        row = all(2);
        plane = all(1) * row;
        for (long z = 0; z < all(0); ++z)
            for (long y = 0; y < all(1); ++y)
                for (long x = 0; x < row; ++x)
                    values.push_back(element(l, grid, z - before(0), y - before(1), x - before(2), outside));
        first = values.data() + before(0) * plane + before(1) * row + before(2);
    }
    const T* at(long z, long y, long x) const { return first + z * plane + y * row + x; }

    skelrt::hood1<T> hood1(const layout& l, long z, long y, long x) const
    {
        return {at(z, y, x), l.shape.down ? row : 1};
    }
    skelrt::hood2<T> hood2(const layout&, long z, long y, long x) const { return {at(z, y, x), row}; }
    skelrt::hood3<T> hood3(const layout&, long z, long y, long x) const { return {at(z, y, x), plane, row}; }
};

/// Whether step t leaves the position as it is.
inline bool keeps(const layout& l, const long (&at)[3], unsigned t)
{
    if (l.color >= 0 && (at[0] + at[1] + at[2]) % 2 != (l.color + long(t)) % 2) return true;
    if (l.shape.border != border_rule::none) return false;
    for (int a = 0; a < 3; ++a)
        if (at[a] < long(l.shape.before[a]) || at[a] + long(l.shape.after[a]) >= long(l.n[a])) return true;
    return false;
}

/// f(padded, z, y, x) for every position, `steps` times.
template <class T, class F>
std::vector<T> apply(const layout& l, std::vector<T> grid, T outside, const F& f)
{
    for (unsigned t = 0; t < l.steps; ++t) {
        const padded<T> around(l, grid, outside);
        std::size_t i = 0;
        for (long z = 0; z < long(l.n[0]); ++z)
            for (long y = 0; y < long(l.n[1]); ++y)
                for (long x = 0; x < long(l.n[2]); ++x, ++i)
                    if (!keeps(l, {z, y, x}, t)) grid[i] = f(around, z, y, x);
    }
    return grid;
}

/// A segment of the grid, and the lines in front of it and behind it, empty where the grid ends.
template <class T>
struct piece {
    segment where;
    std::size_t first; ///< of its elements
    std::vector<T> before, after;
};

template <class T>
std::vector<piece<T>> cut(const layout& l, const std::vector<T>& grid, T outside)
{
    const int axis = l.cut();
    const auto lines_at = [&](long begin, long end) {
        std::vector<T> all;
        long low[3] = {0, 0, 0}, high[3] = {long(l.n[0]), long(l.n[1]), long(l.n[2])};
        low[axis] = begin, high[axis] = end;
        for (long z = low[0]; z < high[0]; ++z)
            for (long y = low[1]; y < high[1]; ++y)
                for (long x = low[2]; x < high[2]; ++x) all.push_back(element(l, grid, z, y, x, outside));
        return all;
    };
    std::vector<piece<T>> pieces;
    std::size_t begin = 0;
    for (const std::size_t n : l.lines.empty() ? std::vector<std::size_t>{l.n[axis]} : l.lines) {
        piece<T> p;
        const std::size_t width = l.width();
        p.where = l.cut() == 2 ? segment{1, n, 0, begin} : segment{n, width, begin, 0};
        p.first = begin * l.line_size();
        const bool cyclic = l.shape.border == border_rule::cyclic;
        const long end = long(begin + n);
        if (begin > 0 || cyclic) p.before = lines_at(long(begin) - long(l.steps * l.shape.before[axis]), long(begin));
        if (begin + n < l.n[axis] || cyclic) p.after = lines_at(end, end + long(l.steps * l.shape.after[axis]));
        begin += n;
        pieces.push_back(std::move(p));
    }
    return pieces;
}

/// Grids of many shapes with all borders, cut and uncut.
inline std::vector<layout> layouts(int rank, bool down, bool matrix, const unsigned (&before)[3],
                                   const unsigned (&after)[3])
{
    std::vector<layout> all;
    for (const border_rule rule :
         {border_rule::constant, border_rule::cyclic, border_rule::nearest, border_rule::none}) {
        const auto add = [&](std::size_t z, std::size_t y, std::size_t x, std::vector<std::size_t> lines = {}) {
            layout l{{rank, down, {}, {}, rule}, {z, y, x}, matrix, std::move(lines)};
            for (int a = 0; a < 3; ++a) l.shape.before[a] = before[a], l.shape.after[a] = after[a];
            all.push_back(l);
        };
        if (rank == 3) {
            add(1, 1, 1), add(3, 2, 5), add(9, 17, 70);
            add(12, 9, 33, {1, 4, 1, 1, 5});
        } else if (matrix) {
            add(1, 1, 1), add(1, 2, 3), add(1, 40, 7), add(1, 3, 300), add(1, 71, 259);
            add(1, 40, 131, {1, 20, 1, 2, 16}), add(1, 5, 64, {1, 1, 1, 1, 1});
        } else {
            add(1, 1, 1), add(1, 1, 2), add(1, 1, 1000), add(1, 1, 4099);
            add(1, 1, 2000, {1, 1000, 2, 1, 996}), add(1, 1, 4, {1, 1, 1, 1});
        }
    }
    return all;
}

} // namespace stencil_reference
