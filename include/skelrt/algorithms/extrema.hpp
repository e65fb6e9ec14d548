// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../reduce.hpp"
#include "detail/best_of.hpp"
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
template <class T>
struct with_column {
    static constexpr const char* name = "sk::argmin";
    static constexpr const char* text = "(skelrt::index2 at, $0 x) { skelrt::indexed<$0> r; r.value = x; r.index = "
                                        "(unsigned long)at.col; return r; }";
    indexed<T> operator()(index2 at, T x) const { return {x, at.col}; }
};
template <class T>
struct with_row {
    static constexpr const char* name = "sk::argmin";
    static constexpr const char* text = "(skelrt::index2 at, $0 x) { skelrt::indexed<$0> r; r.value = x; r.index = "
                                        "(unsigned long)at.row; return r; }";
    indexed<T> operator()(index2 at, T x) const { return {x, at.row}; }
};

/// In the order of the operands, so the smaller index comes first.
template <class T>
struct smaller_indexed {
    static constexpr const char* name = "sk::argmin";
    static constexpr const char* text =
        "(skelrt::indexed<$0> a, skelrt::indexed<$0> b) { if (b.value < a.value) return b; return a; }";
    indexed<T> operator()(indexed<T> a, indexed<T> b) const { return is_better(a.value, b.value) ? b : a; }
    static auto is_better(auto a, auto b) { return b < a; }
};
template <class T>
struct larger_indexed {
    static constexpr const char* name = "sk::argmax";
    static constexpr const char* text =
        "(skelrt::indexed<$0> a, skelrt::indexed<$0> b) { if (a.value < b.value) return b; return a; }";
    indexed<T> operator()(indexed<T> a, indexed<T> b) const { return is_better(a.value, b.value) ? b : a; }
    static auto is_better(auto a, auto b) { return a < b; }
};

template <class T>
struct guarded_operator<indexed<T>, smaller_indexed<T>> : best_operator<indexed<T>, smaller_indexed<T>> {
};
template <class T>
struct guarded_operator<indexed<T>, larger_indexed<T>> : best_operator<indexed<T>, larger_indexed<T>> {
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

namespace detail
{

/// sk::argmin and sk::argmax. `Best<T>` combines two values with their indices, of which the first comes first.
template <template <class> class Best>
struct extremum {
    template <class X>
    auto operator()(const X& x) const
    {
        return best<X>()(with<with_index>(x));
    }
    template <class M>
    auto by_row(const M& m) const
    {
        return best<M>().by_row(with<with_column>(m));
    }
    template <class M>
    auto by_column(const M& m) const
    {
        return best<M>().by_column(with<with_row>(m));
    }

private:
    template <class X>
    static auto best()
    {
        using T = operand_element<X>;
        return reduce(own_function<Best<T>, T>());
    }
    template <template <class> class Indexed, class X>
    static auto with(const X& x)
    {
        using T = operand_element<X>;
        return map(own_function<Indexed<T>, T>())(x);
    }
};

} // namespace detail

/// The smallest element and its index (of a matrix: row * columns + column), an sk::indexed; among equal ones the
/// first. By row and by column one for each, whose index counts within it:
///
///     const sk::indexed<float> least = sk::argmin(x);
///     sk::vector<sk::indexed<float>> nearest = sk::argmin.by_row(distances); // the index is that of a column
///
/// Reductions, as sk::reduce says; a map call as argument fuses. No NaN. O(n). Errors (sk::error): of nothing; by row
/// and by column of anything but a matrix.
inline constexpr detail::extremum<detail::smaller_indexed> argmin{};
/// The largest.
inline constexpr detail::extremum<detail::larger_indexed> argmax{};

} // namespace skelrt
