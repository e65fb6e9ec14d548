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

/// The elements for which a function is true, and behind them the others; both in their order, as with
/// std::stable_partition.
///
///     auto [y, n] = sk::partition(x, SKELRT_FN((float v) { return v < 0; })); // y.range(0, n) is negative
///
/// Waits for the number. O(n): a filter that keeps the others behind; cores and OpenCL call the function once to count
/// and once to copy, CUDA once for each side. Elements are read twice and written once.
template <class X, class Predicate>
auto partition(const X& x, const function<Predicate>& predicate)
{
    using T = detail::operand_element<X>;
    const auto& held = detail::stored(x);
    const auto kept_first = filter(predicate)(held);
    partitioned<T> result{};
    if constexpr (requires { kept_first.with_others(); }) { // the function fits
        detail::filtered made = kept_first.with_others().run();
        detail::replace(result.elements, std::move(made.elements));
        result.count = made.kept;
    }
    return result;
}

} // namespace skelrt
