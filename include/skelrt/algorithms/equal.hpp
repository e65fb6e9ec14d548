// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../eval.hpp"
#include "detail/own_function.hpp"
#include "predicates.hpp"

/// Whether containers are the same: a == b is a condition for each element.
namespace skelrt
{

namespace detail
{

template <class A, class B>
struct same_elements {
    static constexpr const char* name = "sk::equal";
    static constexpr const char* text = "($0 a, $1 b) { return a == b ? 1 : 0; }";
    int operator()(A a, B b) const { return a == b ? 1 : 0; }
};

template <class X>
inline constexpr bool is_operand_of_maps = container<X> || requires
{
    typename X::skelrt_map;
};

/// The shape of a container or of a map call, as far as it tells.
template <class X>
extent operand_extent(const X& x, const char* name)
{
    if constexpr (container<X>) {
        return extent_of(X::rank, x.place());
    } else {
        recipe r;
        r.name = name;
        extent e;
        std::size_t argument = 0;
        join_extent(x, e, argument, r);
        return e;
    }
}

template <class X, class Y, class Hit>
bool all_hit(const X& x, const Y& y, const Hit& hit)
{
    extent shape = operand_extent(x, "sk::equal");
    if (!shape.join(operand_extent(y, "sk::equal"))) return false;
    return reduce(own_function<both_hits>(), 1)(hit(x, y)).get() != 0;
}

} // namespace detail

/// Whether two containers, views or calls have the same shape and equal elements. Other shapes are no error; there is
/// no early end. Waits for the answer, which all ranks have. O(n); nothing is stored.
///
///     if (sk::equal(x, y)) ...
///
/// Elements are compared with ==, which their type has on the device in question; NaN is equal to nothing.
template <class X, class Y>
[[nodiscard]] bool equal(const X& x, const Y& y)
{
    if constexpr (!detail::is_operand_of_maps<X>) {
        return equal(eval(x), y);
    } else if constexpr (!detail::is_operand_of_maps<Y>) {
        return equal(x, eval(y));
    } else {
        using A = detail::operand_element<X>;
        using B = detail::operand_element<Y>;
        return detail::all_hit(x, y, map(detail::own_function<detail::same_elements<A, B>, A, B>()));
    }
}
/// The same with a function of two elements instead of ==, which says whether they count as equal.
template <class X, class Y, class Predicate>
[[nodiscard]] bool equal(const X& x, const Y& y, const function<Predicate>& same)
{
    if constexpr (!detail::is_operand_of_maps<X>) {
        return equal(eval(x), y, same);
    } else if constexpr (!detail::is_operand_of_maps<Y>) {
        return equal(x, eval(y), same);
    } else {
        const auto hit = [&](const X& a, const Y& b) {
            const auto hits = map(same)(a, b);
            using H = typename decltype(hits)::value;
            return map(detail::own_function<detail::hit_or_miss<H>, H>())(hits);
        };
        return detail::all_hit(x, y, hit);
    }
}

} // namespace skelrt
