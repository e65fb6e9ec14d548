// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../filter.hpp"
#include "../host.hpp"
#include "../sort.hpp"
#include "detail/own_function.hpp"
#include "reorder.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace skelrt
{

namespace detail
{

/// Whether an element is in the sample: multiples of the golden section, modulo 1, lie evenly (Knuth, TAOCP 3, 6.4).
template <class T>
struct in_sample {
    static constexpr const char* name = "sk::top_k, sample";
    static constexpr const char* text = "(skelrt::index1 at, $0, unsigned long below) { return (unsigned long)at.i * "
                                        "0x9e3779b97f4a7c15ul < below; }";
    bool operator()(index1 at, const T&, std::uint64_t below) const { return at.i * 0x9e3779b97f4a7c15ul < below; }
};

/// In the order of sk::sort, so that what is no number stays.
template <class T>
struct not_below {
    static constexpr const char* name = "sk::top_k";
    static constexpr const char* text = "($0 x, $0 least) { return !(x < least); }";
    bool operator()(T x, T least) const { return !(x < least); }
};

/// About 2 sqrt(n) elements of n are looked at, one in so many. Rows of usual lengths in x do not hide from it.
inline std::size_t sample_step(std::size_t n)
{
    auto step = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)) / 2);
    while (std::gcd(step, std::size_t{2 * 3 * 5 * 7}) != 1) ++step;
    return step;
}

/// One in `step` elements, in ascending order.
template <class X>
auto sorted_sample(const X& x, std::size_t step)
{
    using T = operand_element<X>;
    if constexpr (vector_like<X>) {
        const placement p = x.place();
        return vector<T>(sort(view1<T>(x.storage(), p.offset, (p.cols + step - 1) / step, p.stride * step)));
    } else {
        const std::uint64_t below = std::numeric_limits<std::uint64_t>::max() / step;
        return vector<T>(sort(filter(own_function<in_sample<T>, T>())(x, below)));
    }
}

/// The place in the sample, from its end, of an element that k of all elements are hardly below.
inline std::size_t place_of_top(std::size_t k, std::size_t step)
{
    const double expected = static_cast<double>(k) / static_cast<double>(step);
    return static_cast<std::size_t>(expected + 4 * std::sqrt(expected) + 4);
}

/// Some elements, at least k, among which the k largest are.
template <class X>
auto candidates_for_top(const X& x, std::size_t k, std::size_t n)
{
    using T = operand_element<X>;
    using limits = std::numeric_limits<T>;
    const filter keep(own_function<not_below<T>, T>());
    const std::size_t step = sample_step(n);
    std::size_t place = place_of_top(k, step);
    if (place < n / step / 2) {
        const vector<T> sample = sorted_sample(x, step);
        for (; place <= sample.size(); place *= 4) {
            const T least = host_read(sample.range(sample.size() - place, 1))[0];
            const vector<T> candidates = keep(x, least);
            if (candidates.size() >= k) return candidates;
        }
    }
    return vector<T>(keep(x, limits::has_infinity ? -limits::infinity() : limits::lowest()));
}

} // namespace detail

/// The k largest elements of numbers, the largest first.
///
///     sk::vector<float> best = sk::top_k(scores, 10);
///
/// Sorts a sample of about 2 sqrt(n) elements, takes from it a number that k elements will not be below, and sorts
/// those elements that are not (the idea of Floyd and Rivest, Expected time bounds for selection, 1975). Where there
/// are fewer than k of these, a smaller number follows: the result is exact. Waits for both. x is a vector, a view or a
/// call: a map call is computed twice, not stored, any other is stored. One pass over a vector, and O(m log m) for m
/// elements, about k + 3 sqrt(k sqrt(n)) + 2 sqrt(n), and as many more as equal the smallest of them. No NaN. Errors
/// (sk::error): k > n.
template <class X>
auto top_k(const X& x, std::size_t k)
{
    using T = detail::operand_element<X>;
    static_assert(std::is_arithmetic_v<T>, "skelrt: sk::top_k takes numbers; map other elements to a number first");
    const auto& seen = detail::counted(x);
    const std::size_t n = detail::operand_size(seen, "sk::top_k");
    if (k > n) detail::throw_top_k(k, n);
    if (k == 0) return vector<T>();
    const vector<T> ascending = sort(detail::candidates_for_top(seen, k, n));
    return vector<T>(reverse(ascending.range(ascending.size() - k, k)));
}

} // namespace skelrt
