// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../reduce.hpp"
#include "detail/own_function.hpp"

namespace skelrt
{

/// Of numbers: how many, their mean, and the sum of the squares of their distances from it.
struct moments {
    std::size_t count;
    double mean, m2;

    /// Of the numbers themselves (divided by their count); 0 of nothing.
    double variance() const { return count > 0 ? m2 / static_cast<double>(count) : 0; }
    /// Of what they are a sample of (divided by one less); 0 of less than two.
    double sample_variance() const { return count > 1 ? m2 / static_cast<double>(count - 1) : 0; }
};

namespace detail
{

template <class T>
struct as_moments {
    static constexpr const char* name = "sk::mean_and_variance";
    static constexpr const char* text =
        "($0 x) { skelrt::moments m; m.count = 1; m.mean = (double)x; m.m2 = 0; return m; }";
    moments operator()(T x) const { return {1, static_cast<double>(x), 0}; }
};

struct merge_moments {
    static constexpr const char* name = "sk::mean_and_variance";
    static constexpr const char* text = R"((skelrt::moments a, skelrt::moments b) {
    const double n = (double)(a.count + b.count), distance = b.mean - a.mean, part = n > 0 ? (double)b.count / n : 0;
    skelrt::moments m;
    m.count = a.count + b.count;
    m.mean = a.mean + distance * part;
    m.m2 = a.m2 + b.m2 + distance * distance * part * (double)a.count;
    return m;
})";
    moments operator()(moments a, moments b) const
    {
        const double n = static_cast<double>(a.count + b.count), distance = b.mean - a.mean,
                     part = n > 0 ? static_cast<double>(b.count) / n : 0;
        return {a.count + b.count, a.mean + distance * part,
                a.m2 + b.m2 + distance * distance * part * static_cast<double>(a.count)};
    }
};

} // namespace detail

/// Mean and variance of numbers in one pass, without the cancellation of sums of squares: sk::moments, merged pair by
/// pair (Chan, Golub and LeVeque, Updating Formulae and a Pairwise Algorithm for Computing Sample Variances, 1979).
///
///     const sk::moments m = sk::mean_and_variance(x); // m.mean, m.variance()
///
/// Computed in double. A reduction, as sk::reduce says; a map call as argument fuses; of nothing all are 0. O(n).
template <class X>
auto mean_and_variance(const X& x)
{
    using T = detail::operand_element<X>;
    return reduce(detail::own_function<detail::merge_moments>(),
                  moments{0, 0, 0})(map(detail::own_function<detail::as_moments<T>, T>())(x));
}

} // namespace skelrt
