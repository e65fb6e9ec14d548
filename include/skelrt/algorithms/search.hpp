// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/own_function.hpp"

namespace skelrt
{

namespace detail
{

/// The first index of a sorted vector whose element is not before what is looked for.
template <class T, class Before>
std::size_t first_not_before(vec<T> sorted, Before is_before)
{
    std::size_t first = 0, count = sorted.size();
    while (count > 0) {
        const std::size_t middle = count / 2;
        if (is_before(sorted[first + middle])) {
            first += middle + 1;
            count -= middle + 1;
        } else {
            count = middle;
        }
    }
    return first;
}

template <class T, class V>
struct first_not_less {
    static constexpr const char* name = "sk::lower_bound";
    static constexpr const char* text = R"(($1 v, skelrt::vec<$0> sorted) {
    unsigned long first = 0, count = sorted.size();
    while (count > 0) {
        const unsigned long middle = count / 2;
        if (sorted[first + middle] < v) {
            first += middle + 1;
            count -= middle + 1;
        } else {
            count = middle;
        }
    }
    return first;
})";
    std::size_t operator()(V v, vec<T> sorted) const
    {
        return first_not_before(sorted, [&](const T& x) { return x < v; });
    }
};

template <class T, class V>
struct first_greater {
    static constexpr const char* name = "sk::upper_bound";
    static constexpr const char* text = R"(($1 v, skelrt::vec<$0> sorted) {
    unsigned long first = 0, count = sorted.size();
    while (count > 0) {
        const unsigned long middle = count / 2;
        if (v < sorted[first + middle]) {
            count = middle;
        } else {
            first += middle + 1;
            count -= middle + 1;
        }
    }
    return first;
})";
    std::size_t operator()(V v, vec<T> sorted) const
    {
        return first_not_before(sorted, [&](const T& x) { return !(v < x); });
    }
};

} // namespace detail

/// For each of many values: the index of the first element of a sorted vector that is not less, or the vector's size.
///
///     sk::vector<std::size_t> bin = sk::lower_bound(edges, values);
///
/// A lazy map call of the shape of `values`: it nests and fuses. Every device that takes part has all of `sorted`.
/// O(log of the size of `sorted`) for each value.
template <class Sorted, class Values>
auto lower_bound(const Sorted& sorted, const Values& values)
{
    using T = detail::operand_element<Sorted>;
    using V = detail::operand_element<Values>;
    return map(detail::own_function<detail::first_not_less<T, V>, T, V>())(values, detail::stored(sorted));
}
/// The index of the first that is greater.
template <class Sorted, class Values>
auto upper_bound(const Sorted& sorted, const Values& values)
{
    using T = detail::operand_element<Sorted>;
    using V = detail::operand_element<Values>;
    return map(detail::own_function<detail::first_greater<T, V>, T, V>())(values, detail::stored(sorted));
}

} // namespace skelrt
