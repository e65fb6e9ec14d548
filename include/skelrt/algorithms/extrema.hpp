// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../reduce.hpp"
#include "detail/own_function.hpp"

namespace skelrt
{

/// An element and its index. Devices have it, too: it may be an element, and stand in user functions.
template <class T>
struct indexed {
    T value;
    std::size_t index;
};

/// What sk::minmax gives.
template <class T>
struct minmax_result {
    T min, max;
};

namespace detail
{

template <class T>
struct with_index {
    static constexpr const char* name = "sk::argmin";
    static constexpr const char* text = "(skelrt::index1 at, $0 x) { skelrt::indexed<$0> r; r.value = x; r.index = "
                                        "(unsigned long)at.i; return r; }";
    indexed<T> operator()(index1 at, T x) const { return {x, at.i}; }
};

/// In the order of the operands, so the smaller index comes first.
template <class T>
struct smaller_indexed {
    static constexpr const char* name = "sk::argmin";
    static constexpr const char* text =
        "(skelrt::indexed<$0> a, skelrt::indexed<$0> b) { if (b.value < a.value) return b; return a; }";
    indexed<T> operator()(indexed<T> a, indexed<T> b) const { return b.value < a.value ? b : a; }
};
template <class T>
struct larger_indexed {
    static constexpr const char* name = "sk::argmax";
    static constexpr const char* text =
        "(skelrt::indexed<$0> a, skelrt::indexed<$0> b) { if (a.value < b.value) return b; return a; }";
    indexed<T> operator()(indexed<T> a, indexed<T> b) const { return a.value < b.value ? b : a; }
};

template <class T>
struct as_minmax {
    static constexpr const char* name = "sk::minmax";
    static constexpr const char* text = "($0 x) { skelrt::minmax_result<$0> r; r.min = x; r.max = x; return r; }";
    minmax_result<T> operator()(T x) const { return {x, x}; }
};
template <class T>
struct wider_minmax {
    static constexpr const char* name = "sk::minmax";
    static constexpr const char* text =
        "(skelrt::minmax_result<$0> a, skelrt::minmax_result<$0> b) { if (b.min < a.min) a.min = b.min; "
        "if (a.max < b.max) a.max = b.max; return a; }";
    minmax_result<T> operator()(minmax_result<T> a, minmax_result<T> b) const
    {
        return {b.min < a.min ? b.min : a.min, a.max < b.max ? b.max : a.max};
    }
};

} // namespace detail

/// The smallest and the largest element, of numbers, in one pass: an sk::minmax_result.
///
///     const sk::minmax_result<float> range = sk::minmax(x);       // waits for it
///     sk::scalar<sk::minmax_result<float>> later = sk::minmax(x); // does not
///
/// A reduction, as sk::reduce says; a map call as argument fuses. O(n). Errors (sk::error): of nothing.
template <class X>
auto minmax(const X& x)
{
    using T = detail::operand_element<X>;
    return reduce(detail::own_function<detail::wider_minmax<T>, T>())(
        map(detail::own_function<detail::as_minmax<T>, T>())(x));
}

/// The smallest element and its index (of a matrix: row * columns + column), an sk::indexed; among equal ones the
/// first. O(n). Errors (sk::error): of nothing.
template <class X>
auto argmin(const X& x)
{
    using T = detail::operand_element<X>;
    return reduce(detail::own_function<detail::smaller_indexed<T>, T>())(
        map(detail::own_function<detail::with_index<T>, T>())(x));
}
/// The largest.
template <class X>
auto argmax(const X& x)
{
    using T = detail::operand_element<X>;
    return reduce(detail::own_function<detail::larger_indexed<T>, T>())(
        map(detail::own_function<detail::with_index<T>, T>())(x));
}

} // namespace skelrt
