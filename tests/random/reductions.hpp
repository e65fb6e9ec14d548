// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "maps.hpp"

#include <numeric>

/// Reductions to a value and to vectors, and what is reduced without being stored: pairs.
#define RANDOM_REDUCTION_CALLS(T)                                                                                      \
    static constexpr auto apart_pairs = sk::map_pairs(SKELRT_FN((T a, T b) { return a < b ? (T)(b - a) : a; }));       \
    static constexpr auto sum = sk::reduce(SKELRT_FN((T a, T b) { return (T)(a + b); }), (T)2);                        \
    static constexpr auto largest = sk::reduce(SKELRT_FN((T a, T b) { return a < b ? b : a; }), (T)0);                 \
    static constexpr auto last_set = sk::reduce(SKELRT_FN((T a, T b) { return b == (T)0 ? a : b; }), (T)7);

namespace random_programs
{

/// Rows of some elements of one vector with some of another.
template <class Calls, class T>
void pairs(state<T>& s)
{
    const std::size_t i = s.vector(), j = s.vector(), c = std::min<std::size_t>(s.n, 1 + s.choose.below(200));
    const auto all = Calls::apart_pairs(s.x[i].range(0, c), s.x[j].range(s.n - c, c));
    const auto want = made<T>(c * c, [&](std::size_t p) {
        const T a = s.plain[i][p / c], b = s.plain[j][s.n - c + p % c];
        return a < b ? static_cast<T>(b - a) : a;
    });
    const auto sums = [&](std::size_t count, auto line) {
        std::vector<T> v(count, T(2));
        for (std::size_t p = 0; p < want.size(); ++p) v[line(p)] += want[p];
        return v;
    };
    switch (s.choose.below(3)) {
    case 0:
        return compare("pairs", sk::matrix<T>(all), want);
    case 1:
        return compare_value("pairs, sum", Calls::sum(all).get(), sums(1, [](std::size_t) { return 0; })[0]);
    default:
        return compare("pairs, sums of rows", sk::vector<T>(Calls::sum.by_row(all)),
                       sums(c, [&](std::size_t p) { return p / c; }));
    }
}

template <class Calls, class T>
void lines(state<T>& s)
{
    const std::size_t from = s.matrix();
    const auto &g = s.grids[from], &h = s.grids[1];
    if (s.choose.one_in(2)) {
        std::vector<T> want(s.rows, T(2));
        for (std::size_t p = 0; p < g.size(); ++p) want[p / s.cols] += apart(g[p], h[p]);
        return compare("rows", sk::vector<T>(Calls::sum.by_row(Calls::apart(s.m[from], s.m[1]))), want);
    }
    std::vector<T> want(s.cols, T(7));
    for (std::size_t p = 0; p < g.size(); ++p) want[p % s.cols] = last_set(want[p % s.cols], g[p]);
    compare("columns", sk::vector<T>(Calls::last_set.by_column(s.m[from])), want);
}

template <class Calls, class T>
void reductions(state<T>& s)
{
    const std::size_t to = s.vector(), i = s.vector(), j = s.vector();
    const auto &a = s.plain[i], &b = s.plain[j];
    switch (s.choose.below(5)) {
    case 0: {
        T want = 2;
        for (std::size_t p = 0; p < s.n; ++p) want = static_cast<T>(want + apart(a[p], b[p]));
        return compare_value("sum", Calls::sum(Calls::apart(s.x[i], s.x[j])).get(), want);
    }
    case 1:
        return compare_value("last", Calls::last_set(s.x[i]).get(),
                             std::accumulate(a.begin(), a.end(), T(7), last_set<T>));
    case 2: { // a scalar goes on into another call
        const sk::scalar<T> top = Calls::largest(s.x[i]);
        s.x[to] = Calls::axpy(top, s.x[j], s.x[i]);
        const T t = a.empty() ? T(0) : *std::max_element(a.begin(), a.end());
        return fill(s.plain[to], [&](std::size_t p) { return ten<T>(t * b[p] + a[p]); });
    }
    case 3:
        return lines<Calls>(s);
    default:
        return pairs<Calls>(s);
    }
}

} // namespace random_programs
