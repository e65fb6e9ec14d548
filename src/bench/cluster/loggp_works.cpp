// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/loggp_works.hpp"

#include "src/bench/shared/timing.hpp"

#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

/// Numbers without an order, each below `n`.
template <class T>
std::vector<T> scattered(std::size_t count, std::size_t n)
{
    std::vector<T> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<T>(i * 2654435761u % n);
    return all;
}

template <class T>
sk::vector<T> made_of(const std::vector<T>& values)
{
    return sk::vector<T>(values.begin(), values.end());
}

const auto twice = sk::map(SKELRT_FN((float v) { return 2.0f * v; }));
const auto mean =
    sk::stencil(SKELRT_FN((sk::hood2<float> u) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                sk::border::constant(0.0f));
const auto sum = sk::reduce(sk::plus, 0.0f);
const auto running = sk::scan(sk::plus);
const auto odd = sk::filter(SKELRT_FN((float v) { return (int)v % 2 == 1; }));
const auto mirrored = sk::map(SKELRT_FN((sk::index1 i, sk::vec<float> v) { return v[v.size() - 1 - i.i]; }));

/// Ranks keep what they were brought until the content may have changed.
template <class Container>
void change(Container& x)
{
    keep(sk::local(x));
}

void map_aligned(loggp_data& d)
{
    d.y = twice(d.x);
    sk::wait(d.y);
}
void shifted_range(loggp_data& d)
{
    const std::size_t n = d.x.size() - 1;
    change(d.x);
    d.y.range(0, n) = twice(d.x.range(1, n));
    sk::wait(d.y);
}
void stencil(loggp_data& d)
{
    change(d.m);
    d.n = mean(d.m);
    sk::wait(d.n);
}
void reduce(loggp_data& d) { keep(static_cast<float>(sum(d.x))); }
void scan(loggp_data& d)
{
    d.y = running(d.x);
    sk::wait(d.y);
}
void filter(loggp_data& d)
{
    d.few = odd(d.x);
    sk::wait(d.few);
}
void sort(loggp_data& d)
{
    d.y = sk::sort(d.x);
    sk::wait(d.y);
}
void whole_copy(loggp_data& d)
{
    change(d.x);
    d.y = mirrored(sk::shape(d.x.size()), d.x);
    sk::wait(d.y);
}
void by_column(loggp_data& d)
{
    d.few = sum.by_column(d.m);
    sk::wait(d.few);
}
void accumulate(loggp_data& d)
{
    d.bins = sk::histogram(d.x, 100, 0.0f, 1000.0f);
    sk::wait(d.bins);
}
void transpose(loggp_data& d)
{
    change(d.m);
    d.across = twice(sk::transpose(d.m));
    sk::wait(d.across);
}
void gather(loggp_data& d)
{
    change(d.x);
    d.y = sk::gather(d.x, d.index);
    sk::wait(d.y);
}

} // namespace

loggp_data::loggp_data(const size& s)
    : x(made_of(scattered<float>(s.length, 1000))), y(s.length, 0.0f),
      index(made_of(scattered<unsigned>(s.length, s.length))), m(s.rows, s.cols, 1.0f), n(s.rows, s.cols, 0.0f),
      across(s.cols, s.rows, 0.0f)
{
}

std::span<const loggp_work> loggp_works()
{
    static constexpr loggp_work all[] = {{"map", &map_aligned},     {"shifted_range", &shifted_range},
                                         {"stencil", &stencil},     {"reduce", &reduce},
                                         {"scan", &scan},           {"filter", &filter},
                                         {"sort", &sort},           {"whole_copy", &whole_copy},
                                         {"by_column", &by_column}, {"accumulate", &accumulate},
                                         {"transpose", &transpose}, {"gather", &gather}};
    return all;
}

} // namespace bench
