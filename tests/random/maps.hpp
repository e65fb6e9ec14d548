// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "state.hpp"

/// Maps, their operands, and parts of containers.
#define RANDOM_MAP_CALLS(T)                                                                                            \
    static constexpr auto apart = sk::map(SKELRT_FN((T a, T b) { return a < b ? (T)(b - a) : (T)(a - b); }));          \
    static constexpr auto wrap = sk::map(SKELRT_FN((T v) { return (T)((long)v % 10); }));                              \
    static constexpr auto add = sk::map(SKELRT_FN((T a, T b) { return (T)(a + b); }));                                 \
    static constexpr auto axpy = sk::map(SKELRT_FN((T f, T a, T b) { return (T)((long)(f * a + b) % 10); }));          \
    static constexpr auto numbered = sk::map(SKELRT_FN((sk::index1 i, T a) { return (T)((i.i + (size_t)a) % 10); }));  \
    static constexpr auto pick =                                                                                       \
        sk::map(SKELRT_FN((sk::index1 i, T a, sk::vec<T> x) { return x[(i.i * 7 + (size_t)a) % x.size()]; }));         \
    static constexpr auto drawn =                                                                                      \
        sk::map(SKELRT_FN((sk::random r, T a) { return (T)((r.bits() + (unsigned)a) % 10u); }));                       \
    static constexpr auto ramp = sk::generate(SKELRT_FN((sk::index1 i) { return (T)(i.i % 7); }));                     \
    static constexpr auto split = sk::map(SKELRT_FN((T a, T b) {                                                       \
        low_high_##T both;                                                                                             \
        both.low = a < b ? a : b;                                                                                      \
        both.high = a < b ? b : a;                                                                                     \
        return both;                                                                                                   \
    }));
/// What `split` returns.
#define RANDOM_MAP_TYPES(T)                                                                                            \
    SKELRT_SHARED(struct low_high_##T {                                                                                \
        T low;                                                                                                         \
        T high;                                                                                                        \
    };)

namespace random_programs
{

template <class Calls, class T>
void element_maps(state<T>& s)
{
    const std::size_t to = s.vector(), i = s.vector(), j = s.vector(), k = s.vector();
    const auto &a = s.plain[i], &b = s.plain[j], &c = s.plain[k];
    const T f = s.digit();
    switch (s.choose.below(4)) {
    case 0:
        s.x[to] = Calls::apart(s.x[i], s.x[j]);
        return fill(s.plain[to], [&](std::size_t p) { return apart(a[p], b[p]); });
    case 1:
        s.x[to] =
            Calls::wrap(Calls::add(Calls::axpy(f, s.x[i], s.x[j]), Calls::numbered(Calls::apart(s.x[j], s.x[k]))));
        return fill(s.plain[to], [&](std::size_t p) {
            return ten<T>(ten<T>(f * a[p] + b[p]) + ten<T>(double(p % 10) + apart(b[p], c[p])));
        });
    case 2:
        if (s.n == 0) return;
        s.x[to] = Calls::pick(Calls::apart(s.x[i], s.x[k]), s.x[j]);
        return fill(s.plain[to],
                    [&](std::size_t p) { return b[(p * 7 + static_cast<std::size_t>(apart(a[p], c[p]))) % s.n]; });
    default:
        const sk::random_seed seed{s.choose.below(1000), s.choose.below(3)};
        s.x[to] = Calls::drawn(seed, s.x[i]);
        fill(s.plain[to], [&](std::size_t p) {
            return static_cast<T>((sk::random(seed.key(), p).bits() + static_cast<unsigned>(a[p])) % 10u);
        });
    }
}

/// Two results of one call, into two different vectors.
template <class Calls, class T>
void tied(state<T>& s)
{
    const std::size_t low = s.vector(), high = (low + 1 + s.choose.below(3)) % 4, i = s.vector(), j = s.vector();
    sk::tie(s.x[low], s.x[high]) = Calls::split(s.x[i], Calls::wrap(s.x[j]));
    const auto a = s.plain[i], b = s.plain[j];
    fill(s.plain[low], [&](std::size_t p) { return std::min(a[p], b[p]); });
    fill(s.plain[high], [&](std::size_t p) { return std::max(a[p], b[p]); });
}

/// Generated, copied, swapped, and changed on the host.
template <class Calls, class T>
void whole_vectors(state<T>& s)
{
    const std::size_t to = s.vector(), i = s.vector();
    switch (s.choose.below(3)) {
    case 0:
        s.x[to] = Calls::ramp(sk::shape(s.n));
        return fill(s.plain[to], [&](std::size_t p) { return static_cast<T>(p % 7); });
    case 1:
        s.x[to] = s.x[i];
        s.plain[to] = std::vector<T>(s.plain[i]);
        return;
    default:
        std::swap(s.x[to], s.x[i]);
        std::swap(s.plain[to], s.plain[i]);
        if (s.n == 0) return;
        const std::size_t at = s.choose.below(s.n);
        sk::host(s.x[to])[at] = s.plain[to][at] = s.digit();
    }
}

template <class Calls, class T>
void parts(state<T>& s)
{
    const std::size_t to = s.vector(), i = s.vector(), j = s.vector(), count = s.choose.below(s.n + 1);
    const auto place = [&] { return s.choose.below(s.n - count + 1); };
    const std::size_t at = place(), p = place(), q = place();
    s.x[to].range(at, count) = Calls::apart(s.x[i].range(p, count), Calls::numbered(s.x[j].range(q, count)));
    const auto want = made<T>(
        count, [&](std::size_t e) { return apart(s.plain[i][p + e], ten<T>(double(e % 10) + s.plain[j][q + e])); });
    std::copy(want.begin(), want.end(), s.plain[to].begin() + static_cast<std::ptrdiff_t>(at));
}

template <class Calls, class T>
void maps(state<T>& s)
{
    switch (s.choose.below(6)) {
    case 0:
        return tied<Calls>(s);
    case 1:
        return whole_vectors<Calls>(s);
    case 2:
        return parts<Calls>(s);
    default:
        return element_maps<Calls>(s);
    }
}

} // namespace random_programs
