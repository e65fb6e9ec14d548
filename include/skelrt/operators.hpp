#pragma once

#include "detail/pair_loops.hpp"
#include "function.hpp"

/// Operators that everybody needs, for every element type that has them.
namespace skelrt
{

inline constexpr auto plus = SKELRT_FN((auto a, auto b) { return a + b; });
inline constexpr auto minus = SKELRT_FN((auto a, auto b) { return a - b; });
inline constexpr auto multiplies = SKELRT_FN((auto a, auto b) { return a * b; });
inline constexpr auto divides = SKELRT_FN((auto a, auto b) { return a / b; });
inline constexpr auto negate = SKELRT_FN((auto a) { return -a; });
inline constexpr auto square = SKELRT_FN((auto a) { return a * a; });
inline constexpr auto minimum = SKELRT_FN((auto a, auto b) { return b < a ? b : a; });
inline constexpr auto maximum = SKELRT_FN((auto a, auto b) { return a < b ? b : a; });

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
