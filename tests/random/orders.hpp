// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reductions.hpp"

/// Sorts, filters, histograms, and elements that come from or go to any place.
#define RANDOM_ORDER_CALLS(T)                                                                                          \
    static constexpr auto down = SKELRT_FN((T a, T b) { return b < a; });                                              \
    static constexpr auto even_first = SKELRT_FN((T a, T b) { return (long)a % 2 < (long)b % 2; });                    \
    static constexpr auto large = sk::filter(SKELRT_FN((T v) { return (T)3 < v; }));                                   \
    static constexpr auto chosen =                                                                                     \
        sk::filter(SKELRT_FN((sk::index1 i, T v, T flag, T low) { return flag != (T)0 && low < v + (T)(i.i % 3); }));  \
    static constexpr auto somewhere =                                                                                  \
        sk::map(SKELRT_FN((sk::index1 i, T a, unsigned long n) { return (i.i * 13 + (unsigned long)a) % n; }));        \
    static constexpr auto count =                                                                                      \
        sk::for_each(SKELRT_FN((T a, T b, sk::accumulator<T> to) { to.add((size_t)(a + b), (T)1); }));

namespace random_programs
{

template <class T>
bool even_first(T a, T b)
{
    return static_cast<long>(a) % 2 < static_cast<long>(b) % 2;
}

/// Keys and values, in place. Keys have few values, so that only a stable sort is right.
template <class Calls, class T>
void sorts_by_key(state<T>& s)
{
    const std::size_t keys = s.vector(), values = (keys + 1 + s.choose.below(3)) % 4;
    const bool down = s.choose.one_in(2);
    if (down) sk::sort_by_key(s.x[keys], s.x[values], Calls::down);
    else sk::sort_by_key(s.x[keys], s.x[values]);
    std::vector<std::pair<T, T>> both(s.n);
    for (std::size_t p = 0; p < s.n; ++p) both[p] = {s.plain[keys][p], s.plain[values][p]};
    std::stable_sort(both.begin(), both.end(),
                     [&](const auto& a, const auto& b) { return down ? b.first < a.first : a.first < b.first; });
    for (std::size_t p = 0; p < s.n; ++p) std::tie(s.plain[keys][p], s.plain[values][p]) = both[p];
}

template <class Calls, class T>
void sorts(state<T>& s)
{
    const std::size_t to = s.vector(), i = s.vector(), j = s.vector();
    switch (s.choose.below(4)) {
    case 0: {
        s.x[to] = sk::sort(s.x[i]);
        auto want = s.plain[i];
        std::sort(want.begin(), want.end());
        s.plain[to] = std::move(want);
        return;
    }
    case 1: {
        s.x[to] = sk::sort(Calls::apart(s.x[i], s.x[j]), Calls::even_first);
        auto want = made<T>(s.n, [&](std::size_t p) { return apart(s.plain[i][p], s.plain[j][p]); });
        std::stable_sort(want.begin(), want.end(), even_first<T>);
        s.plain[to] = std::move(want);
        return;
    }
    case 2: {
        const std::size_t n = s.choose.below(s.n + 1);
        const auto at = static_cast<std::ptrdiff_t>(s.choose.below(s.n - n + 1)), count = std::ptrdiff_t(n),
                   p = static_cast<std::ptrdiff_t>(s.choose.below(s.n - n + 1));
        s.x[to].range(std::size_t(at), n) = sk::sort(s.x[i].range(std::size_t(p), n), Calls::down);
        std::vector<T> want(s.plain[i].begin() + p, s.plain[i].begin() + p + count);
        std::sort(want.begin(), want.end(), std::greater<>());
        std::copy(want.begin(), want.end(), s.plain[to].begin() + at);
        return;
    }
    default:
        return sorts_by_key<Calls>(s);
    }
}

template <class Calls, class T>
void filters(state<T>& s)
{
    const std::size_t i = s.vector(), j = s.vector(), from = s.matrix();
    std::vector<T> want;
    switch (s.choose.below(3)) {
    case 0:
        std::copy_if(s.plain[i].begin(), s.plain[i].end(), std::back_inserter(want), [](T v) { return T(3) < v; });
        return compare("filter", sk::vector<T>(Calls::large(s.x[i])), want);
    case 1:
        std::copy_if(s.grids[from].begin(), s.grids[from].end(), std::back_inserter(want),
                     [](T v) { return T(3) < v; });
        return compare("filter of a matrix", sk::vector<T>(Calls::large(s.m[from])), want);
    default: { // its result goes on into another call
        const T low = s.digit();
        for (std::size_t p = 0; p < s.n; ++p) {
            const T v = apart(s.plain[i][p], s.plain[j][p]);
            if (s.plain[j][p] != T(0) && low < v + static_cast<T>(p % 3)) want.push_back(v);
        }
        const sk::vector<T> kept = Calls::chosen(Calls::apart(s.x[i], s.x[j]), s.x[j], low);
        compare_value("sum of what is kept", Calls::sum(Calls::apart(kept, kept.range(0, want.size()))).get(), T(2));
        return compare("filter with operands", kept, want);
    }
    }
}

/// Bins of which every bound is exact.
template <class Calls, class T>
void histograms(state<T>& s)
{
    const long low = static_cast<long>(s.choose.below(6)) - 2;
    const auto width = 1l << s.choose.below(5);
    const std::size_t bins = 1 + s.choose.below(s.choose.one_in(5) ? 3000 : 20), i = s.vector(), from = s.matrix();
    const auto counted = [&](const std::vector<T>& v) {
        std::vector<unsigned> counts(bins, 0);
        for (const T e : v)
            if (const long d = static_cast<long>(e) - low; d >= 0 && d < width)
                ++counts[static_cast<std::size_t>(d) * bins / static_cast<std::size_t>(width)];
        return counts;
    };
    const auto from_to = [&](const auto& what) {
        return sk::histogram(what, bins, static_cast<T>(low), static_cast<T>(low + width));
    };
    if (s.choose.one_in(2)) return compare("histogram of a matrix", from_to(s.m[from]), counted(s.grids[from]));
    compare("histogram", from_to(Calls::numbered(s.x[i])),
            counted(made<T>(s.n, [&](std::size_t p) { return ten<T>(double(p % 10) + s.plain[i][p]); })));
}

/// Elements gathered from, and added to, places that a map computes.
template <class Calls, class T>
void places(state<T>& s)
{
    const std::size_t to = s.vector(), i = s.vector(), j = s.vector();
    const auto a = s.plain[i], b = s.plain[j];
    if (s.n == 0 || s.choose.one_in(3)) {
        sk::vector<T> sums(19, T(1));
        Calls::count(s.x[i], Calls::wrap(s.x[j]), sums);
        std::vector<T> want(19, T(1));
        for (std::size_t p = 0; p < s.n; ++p) want[static_cast<std::size_t>(a[p] + b[p])] += T(1);
        return compare("counts", sums, want);
    }
    const auto place = [&](std::size_t p, std::size_t size) {
        return (p * 13 + static_cast<std::size_t>(b[p])) % size;
    };
    if (s.choose.one_in(2)) {
        s.x[to] = sk::gather(s.x[i], Calls::somewhere(s.x[j], static_cast<unsigned long>(s.n)));
        return fill(s.plain[to], [&](std::size_t p) { return a[place(p, s.n)]; });
    }
    const std::size_t size = 1 + s.choose.below(300);
    sk::vector<T> sums(size, T(3));
    sk::scatter_add(s.x[i], Calls::somewhere(s.x[j], static_cast<unsigned long>(size)), sums);
    std::vector<T> want(size, T(3));
    for (std::size_t p = 0; p < s.n; ++p) want[place(p, size)] += a[p];
    compare("scatter", sums, want);
}

template <class Calls, class T>
void orders(state<T>& s)
{
    switch (s.choose.below(5)) {
    case 0:
    case 1:
        return sorts<Calls>(s);
    case 2:
        return filters<Calls>(s);
    case 3:
        return histograms<Calls>(s);
    default:
        return places<Calls>(s);
    }
}

} // namespace random_programs
