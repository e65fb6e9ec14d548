// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../border.hpp"
#include "../gather.hpp"
#include "../stencil.hpp"
#include "detail/own_function.hpp"

namespace skelrt
{

namespace detail
{

template <class T>
struct minus_previous {
    static constexpr const char* name = "sk::adjacent_difference";
    static constexpr const char* text =
        "(skelrt::index1 at, skelrt::hood1<$0> x) { return ($0)(at.i == 0 ? x(0) : x(0) - x(-1)); }";
    T operator()(index1 at, hood1<T> x) const { return static_cast<T>(at.i == 0 ? x(0) : x(0) - x(-1)); }
};

struct previous_position {
    static constexpr const char* name = "sk::adjacent_difference";
    static constexpr const char* text = "(skelrt::index1 at) { return (unsigned long)(at.i > 0 ? at.i - 1 : 0); }";
    std::size_t operator()(index1 at) const { return at.i > 0 ? at.i - 1 : 0; }
};

template <class T>
struct first_as_is {
    static constexpr const char* name = "sk::adjacent_difference";
    static constexpr const char* text = "(skelrt::index1 at, $0 x, $0 y) { return at.i == 0 ? x : y; }";
    T operator()(index1 at, T x, T y) const { return at.i == 0 ? x : y; }
};

} // namespace detail

/// y[0] = x[0], y[i] = x[i] - x[i - 1]: sk::scan(sk::plus) undone. A lazy call of a stencil on a vector or on a map
/// call, which nests in maps. O(n).
template <class X>
auto adjacent_difference(const X& x)
{
    using T = detail::operand_element<X>;
    static_assert(std::is_arithmetic_v<T>, "skelrt: sk::adjacent_difference without a function takes numbers");
    const stencil difference(detail::own_function<detail::minus_previous<T>, T>(), border::nearest(), reach(1));
    if constexpr (detail::container<X>) return difference(detail::stored(x));
    else return difference(x);
}

/// The same of any function: y[i] = f(x[i], x[i - 1]), a value of the elements' type. A lazy map call; every device that
/// takes part has all of x.
template <class X, class F>
auto adjacent_difference(const X& x, const function<F>& f)
{
    using T = detail::operand_element<X>;
    const auto& held = detail::stored(x);
    const auto previous = gather(held, map(detail::own_function<detail::previous_position>())(shape(held.size())));
    const auto differences = map(f)(held, previous);
    using D = typename decltype(differences)::value;
    static_assert(std::is_same_v<D, T>,
                  "skelrt: the function of sk::adjacent_difference takes two elements and gives another");
    return map(detail::own_function<detail::first_as_is<T>, T>())(held, differences);
}

} // namespace skelrt
