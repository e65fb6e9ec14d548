// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/order.hpp"

#include <algorithm>

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

/// The same from `first` on, for who expects it near: O(log of the distance).
template <class T, class Before>
std::size_t next_not_before(vec<T> sorted, std::size_t first, Before is_before)
{
    std::size_t step = 1;
    for (; first + step <= sorted.size() && is_before(sorted[first + step - 1]); step *= 2) first += step;
    const std::size_t end = std::min(first + step - 1, sorted.size());
    return first + first_not_before(vec<T>(sorted.data() + first, end - first), is_before);
}

template <class T, class V, class Less>
struct first_not_less {
    static constexpr const char* name = "sk::lower_bound";
    static constexpr const char* text = R"(($1 v, skelrt::vec<$0> sorted) {
    unsigned long first = 0, count = sorted.size();
    while (count > 0) {
        const unsigned long middle = count / 2;
        if ($op(sorted[first + middle], v)) {
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
        return first_not_before(sorted, [&](const T& x) { return static_cast<bool>(Less{}(x, v)); });
    }
};

/// The operator takes a value first, so that $0 is its type.
template <class T, class V, class Less>
struct first_greater {
    static constexpr const char* name = "sk::upper_bound";
    static constexpr const char* text = R"(($0 v, skelrt::vec<$1> sorted) {
    unsigned long first = 0, count = sorted.size();
    while (count > 0) {
        const unsigned long middle = count / 2;
        if ($op(v, sorted[first + middle])) {
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
        return first_not_before(sorted, [&](const T& x) { return !Less{}(v, x); });
    }
};

} // namespace detail

/// For each of many values: the index of the first element of a sorted vector that does not come in front of it, or the
/// vector's size.
///
///     sk::vector<std::size_t> bin = sk::lower_bound(edges, values);
///
/// `less` is the order of `sorted`, as in sk::merge: a function of two elements, or of an element and a value where these
/// have another type. A lazy map call of the shape of `values`: it nests and fuses. Every device that takes part has all
/// of `sorted`. O(log of the size of `sorted`) for each value.
template <class Sorted, class Values, class Less>
auto lower_bound(const Sorted& sorted, const Values& values, const function<Less>& less)
{
    using T = detail::operand_element<Sorted>;
    using V = detail::operand_element<Values>;
    if constexpr (detail::check_comparator<Less, T, V>())
        return map(detail::own_function_calling<detail::first_not_less<T, V, Less>, T, V>(less))(
            values, detail::stored(sorted));
    else return detail::refuse(less);
}
template <class Sorted, class Values>
auto lower_bound(const Sorted& sorted, const Values& values)
{
    return lower_bound(sorted, values, detail::ascending_order);
}
template <class Sorted, class Values, class Less>
detail::refused_call lower_bound(const Sorted&, const Values&, const Less& less)
{
    return detail::refuse(less);
}

/// The index of the first in front of which the value comes. Here `less` is a function of a value and an element.
template <class Sorted, class Values, class Less>
auto upper_bound(const Sorted& sorted, const Values& values, const function<Less>& less)
{
    using T = detail::operand_element<Sorted>;
    using V = detail::operand_element<Values>;
    if constexpr (detail::check_comparator<Less, V, T>())
        return map(detail::own_function_calling<detail::first_greater<T, V, Less>, V, T>(less))(values,
                                                                                                detail::stored(sorted));
    else return detail::refuse(less);
}
template <class Sorted, class Values>
auto upper_bound(const Sorted& sorted, const Values& values)
{
    return upper_bound(sorted, values, detail::ascending_order);
}
template <class Sorted, class Values, class Less>
detail::refused_call upper_bound(const Sorted&, const Values&, const Less& less)
{
    return detail::refuse(less);
}

} // namespace skelrt
