// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../filter.hpp"
#include "detail/own_function.hpp"

#include <utility>

namespace skelrt
{

/// What sk::partition gives.
template <class T>
struct partitioned {
    vector<T> elements;
    std::size_t count; ///< of those for which the predicate is true; they are in front
};

namespace detail
{

/// The elements of which a predicate, whose result has the type H, is not true.
template <class T, class H>
struct keep_others {
    static constexpr const char* name = "sk::partition";
    static constexpr const char* text = "($0, $1 hit) { return hit ? false : true; }";
    bool operator()(const T&, H hit) const { return !static_cast<bool>(hit); }
};

} // namespace detail

/// The elements for which a function is true, and behind them the others; both in their order, as with
/// std::stable_partition.
///
///     auto [y, n] = sk::partition(x, SKELRT_FN((float v) { return v < 0; })); // y.range(0, n) is negative
///
/// Waits for the number. O(n): two filters, each of which calls the function once an element, and copies.
template <class X, class Predicate>
auto partition(const X& x, const function<Predicate>& predicate)
{
    using T = detail::operand_element<X>;
    const auto& held = detail::stored(x);
    vector<T> front = filter(predicate)(held);
    const std::size_t n = front.size(), rest = held.size() - n;
    if (rest == 0) return partitioned<T>{std::move(front), n};
    partitioned<T> result{vector<T>(held.size(), uninitialized), n};
    if (n > 0) result.elements.range(0, n) = detail::copy_of(front);
    const auto hits = map(predicate)(held);
    using H = typename decltype(hits)::value;
    const filter others(detail::own_function<detail::keep_others<T, H>, T, H>());
    result.elements.range(n, rest) = others(held, hits);
    return result;
}

} // namespace skelrt
