// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/loops/pair.hpp"
#include "function.hpp"

/// Operators that everybody needs, for every element type that has them.
namespace skelrt
{

/// Messages name our functions, instead of the place of their text.
#define SKELRT_DETAIL_OWN_FN(name, ...) ::skelrt::function([] __VA_ARGS__, #__VA_ARGS__, name)
// clang-format off
inline constexpr auto plus = SKELRT_DETAIL_OWN_FN("sk::plus", (auto a, auto b) { return a + b; }); ///< a + b
inline constexpr auto minus = SKELRT_DETAIL_OWN_FN("sk::minus", (auto a, auto b) { return a - b; }); ///< a - b
/// a * b
inline constexpr auto multiplies = SKELRT_DETAIL_OWN_FN("sk::multiplies", (auto a, auto b) { return a * b; });
inline constexpr auto divides = SKELRT_DETAIL_OWN_FN("sk::divides", (auto a, auto b) { return a / b; }); ///< a / b
inline constexpr auto negate = SKELRT_DETAIL_OWN_FN("sk::negate", (auto a) { return -a; }); ///< -a
inline constexpr auto square = SKELRT_DETAIL_OWN_FN("sk::square", (auto a) { return a * a; }); ///< a * a
/// The smaller.
inline constexpr auto minimum = SKELRT_DETAIL_OWN_FN("sk::minimum", (auto a, auto b) { return b < a ? b : a; });
/// The larger.
inline constexpr auto maximum = SKELRT_DETAIL_OWN_FN("sk::maximum", (auto a, auto b) { return a < b ? b : a; });

// clang-format on
#undef SKELRT_DETAIL_OWN_FN

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
