#pragma once

#include "detail/pair_loops.hpp"
#include "function.hpp"

/// Operators that everybody needs, for every element type that has them.
namespace skelrt
{

namespace detail
{
/// Messages name our functions, instead of the place of their text.
template <class Lambda>
constexpr function<Lambda> named(const char* name, const function<Lambda>& f)
{
    return function<Lambda>(Lambda{}, f.source().text, name, 1);
}
} // namespace detail

inline constexpr auto plus = detail::named("sk::plus", SKELRT_FN((auto a, auto b) { return a + b; }));
inline constexpr auto minus = detail::named("sk::minus", SKELRT_FN((auto a, auto b) { return a - b; }));
inline constexpr auto multiplies = detail::named("sk::multiplies", SKELRT_FN((auto a, auto b) { return a * b; }));
inline constexpr auto divides = detail::named("sk::divides", SKELRT_FN((auto a, auto b) { return a / b; }));
inline constexpr auto negate = detail::named("sk::negate", SKELRT_FN((auto a) { return -a; }));
inline constexpr auto square = detail::named("sk::square", SKELRT_FN((auto a) { return a * a; }));
inline constexpr auto minimum = detail::named("sk::minimum", SKELRT_FN((auto a, auto b) { return b < a ? b : a; }));
inline constexpr auto maximum = detail::named("sk::maximum", SKELRT_FN((auto a, auto b) { return a < b ? b : a; }));

namespace detail
{
template <>
inline constexpr bool is_commutative<decltype(plus)::lambda> = true;
template <>
inline constexpr bool is_sum<decltype(plus)::lambda> = true;
template <>
inline constexpr bool is_commutative<decltype(multiplies)::lambda> = true;
template <>
inline constexpr bool is_commutative<decltype(minimum)::lambda> = true;
template <>
inline constexpr bool is_commutative<decltype(maximum)::lambda> = true;

template <>
inline constexpr bool is_lane_wise<decltype(plus)::lambda> = true;
template <>
inline constexpr bool is_lane_wise<decltype(minus)::lambda> = true;
template <>
inline constexpr bool is_lane_wise<decltype(multiplies)::lambda> = true;
template <>
inline constexpr bool is_lane_wise<decltype(minimum)::lambda> = true;
template <>
inline constexpr bool is_lane_wise<decltype(maximum)::lambda> = true;
} // namespace detail

} // namespace skelrt
