// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/own_function.hpp"

/// What others call by these names; here assignments do it.
namespace skelrt
{

namespace detail
{

template <class T>
struct iota_value {
    static constexpr const char* name = "sk::iota";
    static constexpr const char* text = "(skelrt::index1 at, $0 first) { return ($0)(first + ($0)at.i); }";
    T operator()(index1 at, T first) const { return static_cast<T>(first + static_cast<T>(at.i)); }
};

template <class T>
struct fill_value {
    static constexpr const char* name = "sk::fill";
    static constexpr const char* text = "(skelrt::index1, $0 value) { return value; }";
    T operator()(index1, T value) const { return value; }
};

template <class X>
shape shape_of(const X& x)
{
    const placement p = x.place();
    if constexpr (X::rank == 1) return shape(p.cols);
    else if constexpr (X::rank == 2) return shape(p.rows, p.cols);
    else if constexpr (X::rank == 3) return shape(p.rows, p.inner[0], p.inner[1]);
    else return shape(p.rows, p.inner[0], p.inner[1], p.inner[2]);
}

} // namespace detail

/// Gives every element of a container or a view one value. Asynchronous. O(n).
template <detail::container X>
void fill(X&& x, const typename std::remove_cvref_t<X>::value_type& value)
{
    using T = typename std::remove_cvref_t<X>::value_type;
    x = map(detail::own_function<detail::fill_value<T>, T>())(detail::shape_of(x), value);
}

/// y = x: copies the elements of a container or a view, or those of a call, to a container or a view. Asynchronous.
/// O(n). Errors (sk::error): views of other shapes.
template <class X, detail::container Y>
void copy(const X& x, Y&& y)
{
    if constexpr (detail::expression<X>) y = x;
    else if constexpr (std::is_same_v<X, std::remove_cvref_t<Y>> && requires { y.clear(); }) y = x;
    else y = detail::copy_of(x);
}

/// first, first + 1, ..., n values of a number's type: a lazy map call, which needs no memory where it is an operand.
///
///     sk::vector<int> order = sk::iota(n, 0);
template <class T>
auto iota(std::size_t n, const T& first)
{
    static_assert(std::is_arithmetic_v<T>, "skelrt: sk::iota counts numbers");
    return map(detail::own_function<detail::iota_value<T>, T>())(shape(n), first);
}

/// The same into the elements of a container or a view, in the order of memory. Asynchronous. O(n).
template <detail::container X>
void iota(X&& x, const typename std::remove_cvref_t<X>::value_type& first)
{
    using T = typename std::remove_cvref_t<X>::value_type;
    static_assert(std::is_arithmetic_v<T>, "skelrt: sk::iota counts numbers");
    x = map(detail::own_function<detail::iota_value<T>, T>())(detail::shape_of(x), first);
}

} // namespace skelrt
