// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "maps.hpp"

/// Scans of vectors, matrices, rows and columns.
#define RANDOM_SCAN_CALLS(T)                                                                                           \
    static constexpr auto running = sk::scan(SKELRT_FN((T a, T b) { return (T)(a + b); }));                            \
    static constexpr auto running_last = sk::exclusive_scan(SKELRT_FN((T a, T b) { return b == (T)0 ? a : b; }), (T)5);

namespace random_programs
{

/// Running sums of lines of `count` elements that are `step` apart.
template <class T>
void add_up(std::vector<T>& v, std::size_t first, std::size_t count, std::size_t step)
{
    for (std::size_t k = 1; k < count; ++k)
        v[first + k * step] = static_cast<T>(v[first + k * step] + v[first + (k - 1) * step]);
}
/// The last element before each that is not 0, or 5.
template <class T>
void keep_last(std::vector<T>& v, std::size_t first, std::size_t count, std::size_t step)
{
    T last = 5;
    for (std::size_t k = 0; k < count; ++k) {
        const T now = v[first + k * step];
        v[first + k * step] = last;
        last = last_set(last, now);
    }
}

template <class Calls, class T>
void matrix_scans(state<T>& s)
{
    const std::size_t to = s.matrix(), from = s.matrix();
    const auto fused = Calls::apart(s.m[from], s.m[0]);
    auto want = made<T>(s.rows * s.cols, [&](std::size_t p) { return apart(s.grids[from][p], s.grids[0][p]); });
    switch (s.choose.below(4)) {
    case 0: {
        const sk::matrix<T> sums = Calls::running(fused);
        add_up(want, 0, want.size(), 1);
        return compare("scan of a matrix", sums, want);
    }
    case 1: {
        const sk::matrix<T> sums = Calls::running.by_row(fused);
        for (std::size_t r = 0; r < s.rows; ++r) add_up(want, r * s.cols, s.cols, 1);
        return compare("scan by row", sums, want);
    }
    case 2: {
        const sk::matrix<T> sums = Calls::running.by_column(fused);
        for (std::size_t c = 0; c < s.cols; ++c) add_up(want, c, s.rows, s.cols);
        return compare("scan by column", sums, want);
    }
    default:
        const bool down = s.choose.one_in(2);
        if (down) s.m[to] = Calls::running_last.by_column(s.m[from]);
        else s.m[to] = Calls::running_last.by_row(s.m[from]);
        want = s.grids[from];
        for (std::size_t l = 0; l < (down ? s.cols : s.rows); ++l)
            down ? keep_last(want, l, s.rows, s.cols) : keep_last(want, l * s.cols, s.cols, 1);
        s.grids[to] = std::move(want);
    }
}

template <class Calls, class T>
void scans(state<T>& s)
{
    const std::size_t to = s.vector(), i = s.vector(), j = s.vector();
    if (s.choose.one_in(2)) return matrix_scans<Calls>(s);
    if (s.choose.one_in(2)) {
        auto want = made<T>(s.n, [&](std::size_t p) { return apart(s.plain[i][p], s.plain[j][p]); });
        add_up(want, 0, s.n, 1);
        s.x[to] = Calls::running(Calls::apart(s.x[i], s.x[j]));
        s.x[to] = Calls::wrap(s.x[to]);
        return fill(s.plain[to], [&](std::size_t p) { return ten<T>(static_cast<double>(want[p])); });
    }
    s.x[to] = Calls::running_last(s.x[i]);
    auto want = s.plain[i];
    keep_last(want, 0, s.n, 1);
    s.plain[to] = std::move(want);
}

} // namespace random_programs
