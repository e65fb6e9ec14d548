// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "maps.hpp"

#include <span>

/// Stencils in one to three dimensions, along lines, and several times over.
#define RANDOM_STENCIL_CALLS(T)                                                                                        \
    template <class Border>                                                                                            \
    static auto line(const Border& b)                                                                                  \
    {                                                                                                                  \
        return sk::stencil(SKELRT_FN((sk::hood1<T> u) { return (T)((long)(u(-2) + 3 * u(0) + u(1)) % 10); }), b);      \
    }                                                                                                                  \
    template <class Border>                                                                                            \
    static auto cross(const Border& b)                                                                                 \
    {                                                                                                                  \
        return sk::stencil(SKELRT_FN((sk::hood2<T> u) {                                                                \
                               return (T)((long)(u(-1, 0) + 2 * u(0, 0) + u(1, 0) + 3 * u(0, -1) + u(0, 1)) % 10);     \
                           }),                                                                                         \
                           b);                                                                                         \
    }                                                                                                                  \
    template <class Border>                                                                                            \
    static auto star(const Border& b)                                                                                  \
    {                                                                                                                  \
        return sk::stencil(SKELRT_FN((sk::hood3<T> u) {                                                                \
                               return (T)((long)(u(-1, 0, 0) + 2 * u(0, 0, 0) + 3 * u(1, 1, 0) + u(0, 0, 2)) % 10);    \
                           }),                                                                                         \
                           b);                                                                                         \
    }

namespace random_programs
{

/// A neighbour that a stencil reads, and its factor.
struct tap {
    long plane, row, col;
    int factor;
};
struct box {
    long planes, rows, cols;
};
enum class rule { constant, cyclic, nearest, none };

inline constexpr tap along_rows[] = {{0, 0, -2, 1}, {0, 0, 0, 3}, {0, 0, 1, 1}};
inline constexpr tap down_columns[] = {{0, -2, 0, 1}, {0, 0, 0, 3}, {0, 1, 0, 1}};
inline constexpr tap in_cross[] = {{0, -1, 0, 1}, {0, 0, 0, 2}, {0, 1, 0, 1}, {0, 0, -1, 3}, {0, 0, 1, 1}};
inline constexpr tap in_star[] = {{-1, 0, 0, 1}, {0, 0, 0, 2}, {1, 1, 0, 3}, {0, 0, 2, 1}};

/// Where position p of an axis lies: the place in the grid, or -1 outside.
inline long inside(long p, long n, rule border)
{
    if (p >= 0 && p < n) return p;
    if (border == rule::cyclic) return (p % n + n) % n;
    if (border == rule::nearest) return std::clamp(p, 0L, n - 1);
    return -1;
}

/// The stencil at one position of a grid. The constant is 4.
template <class T>
T at_position(const std::vector<T>& grid, const box& n, std::span<const tap> taps, rule border, const box& at)
{
    const auto element = [&](long p, long r, long c) {
        return grid[static_cast<std::size_t>((p * n.rows + r) * n.cols + c)];
    };
    double sum = 0;
    for (const tap& t : taps) {
        const long p = inside(at.planes + t.plane, n.planes, border), r = inside(at.rows + t.row, n.rows, border),
                   c = inside(at.cols + t.col, n.cols, border);
        const bool outside = p < 0 || r < 0 || c < 0;
        if (outside && border == rule::none) return element(at.planes, at.rows, at.cols);
        sum += t.factor * static_cast<double>(outside ? T(4) : element(p, r, c));
    }
    return ten<T>(sum);
}

/// One step of all positions, or of those whose indices' sum is even (color 0) or odd (1).
template <class T>
std::vector<T> stepped(const std::vector<T>& old, const box& n, std::span<const tap> taps, rule border, int color = -1)
{
    std::vector<T> now(old);
    std::size_t k = 0;
    for (long p = 0; p < n.planes; ++p)
        for (long r = 0; r < n.rows; ++r)
            for (long c = 0; c < n.cols; ++c, ++k)
                if (color < 0 || (p + r + c) % 2 == color) now[k] = at_position(old, n, taps, border, {p, r, c});
    return now;
}
template <class T>
std::vector<T> repeated(std::vector<T> grid, std::size_t times, const box& n, std::span<const tap> taps, rule border)
{
    for (std::size_t k = 0; k < times; ++k) grid = stepped(grid, n, taps, border);
    return grid;
}

template <class F>
void with_border(rule border, F apply)
{
    switch (border) {
    case rule::constant:
        return apply(sk::border::constant(4));
    case rule::cyclic:
        return apply(sk::border::cyclic());
    case rule::nearest:
        return apply(sk::border::nearest());
    case rule::none:
        return apply(sk::border::none());
    }
}

/// Few enough steps for the sequential code, and sometimes enough for several in one pass.
template <class T>
std::size_t some_steps(state<T>& s)
{
    return s.choose.below(s.n > 100'000 ? 3 : s.choose.one_in(4) ? 20 : 5);
}

template <class Calls, class T>
void on_vectors(state<T>& s, rule border)
{
    const std::size_t to = s.vector(), i = s.vector(), times = s.choose.one_in(2) ? 1 : some_steps(s);
    with_border(border, [&](const auto& b) {
        if (times == 1) s.x[to] = Calls::line(b)(Calls::wrap(s.x[i]));
        else s.x[to] = Calls::line(b).iterate(times, s.x[i]);
    });
    s.plain[to] = repeated(s.plain[i], times, {1, 1, static_cast<long>(s.n)}, along_rows, border);
}

template <class Calls, class T>
void on_matrices(state<T>& s, rule border)
{
    const std::size_t to = s.matrix(), from = s.matrix(), times = s.choose.one_in(2) ? 1 : some_steps(s);
    const bool map_under_hood = times == 1 && s.choose.one_in(2);
    with_border(border, [&](const auto& b) {
        if (map_under_hood) s.m[to] = Calls::cross(b)(Calls::apart(s.m[from], s.m[0]));
        else if (times == 1) s.m[to] = Calls::wrap(Calls::cross(b)(s.m[from]));
        else s.m[to] = Calls::cross(b).iterate(times, s.m[from]);
    });
    auto grid = s.grids[from];
    if (map_under_hood) fill(grid, [&](std::size_t p) { return apart(s.grids[from][p], s.grids[0][p]); });
    s.grids[to] =
        repeated(std::move(grid), times, {1, static_cast<long>(s.rows), static_cast<long>(s.cols)}, in_cross, border);
}

/// One border each: every border is a kernel of its own, and is seen above.
template <class Calls, class T>
void other_stencils(state<T>& s)
{
    const std::size_t to = s.matrix(), from = s.matrix();
    const box n{1, static_cast<long>(s.rows), static_cast<long>(s.cols)};
    switch (s.choose.below(4)) {
    case 0:
        s.m[to] = Calls::line(sk::border::cyclic()).by_row(s.m[from]);
        s.grids[to] = stepped(s.grids[from], n, along_rows, rule::cyclic);
        return;
    case 1:
        s.m[to] = Calls::line(sk::border::nearest()).by_column(s.m[from]);
        s.grids[to] = stepped(s.grids[from], n, down_columns, rule::nearest);
        return;
    case 2: {
        const std::size_t times = s.choose.below(3);
        s.m[to] = Calls::cross(sk::border::constant(T(4))).red_black(times, s.m[from]);
        auto want = s.grids[from];
        for (std::size_t k = 0; k < 2 * times; ++k)
            want = stepped(want, n, in_cross, rule::constant, static_cast<int>(k % 2));
        s.grids[to] = std::move(want);
        return;
    }
    default:
        const std::size_t cols = 1 + s.choose.below(9), rows = 1 + s.choose.below(9), planes = s.n / rows / cols;
        const auto& a = s.plain[s.vector()];
        sk::tensor<T, 3> t({planes, rows, cols}, a.begin());
        t = Calls::star(sk::border::constant(T(4)))(t);
        const std::vector<T> old(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(planes * rows * cols));
        compare("volume", t,
                stepped(old, {static_cast<long>(planes), static_cast<long>(rows), static_cast<long>(cols)}, in_star,
                        rule::constant));
    }
}

template <class Calls, class T>
void neighbours(state<T>& s)
{
    const auto border = static_cast<rule>(s.choose.below(4));
    switch (s.choose.below(3)) {
    case 0:
        return on_vectors<Calls>(s, border);
    case 1:
        return on_matrices<Calls>(s, border);
    default:
        return other_stencils<Calls>(s);
    }
}

} // namespace random_programs
