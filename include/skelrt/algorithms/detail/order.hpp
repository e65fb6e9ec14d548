// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "own_function.hpp"

#include <type_traits>

/// The order of merges, sets and searches: a user's comparator, or ours.
namespace skelrt::detail
{

inline constexpr auto ascending_order =
    function([](auto a, auto b) { return a < b; }, "(auto a, auto b) { return a < b; }", "sk::merge");

template <class Make, class... T>
struct with_values; // capture.hpp
template <class Less>
inline constexpr bool has_values = false;
template <class Make, class... T>
inline constexpr bool has_values<with_values<Make, T...>> = true;

template <class A, class B>
inline constexpr bool have_order = requires(const A& a, const B& b)
{
    a < b;
};

template <class Less, class A, class B>
constexpr bool is_comparator()
{
    if constexpr (std::is_same_v<Less, decltype(ascending_order)::lambda>) return have_order<A, B>;
    else return std::is_invocable_r_v<bool, Less, A, B>;
}

/// Says what is wrong with a comparator; for one that is no function for devices, sk::detail::refuse does.
template <class Less, class A, class B>
constexpr bool check_comparator()
{
    constexpr bool is_plain = !has_values<Less>;
    static_assert(is_plain, "skelrt: the comparator of merges, sets and searches has no values of its own; map the "
                            "elements to structs that have them");
    if constexpr (is_plain && std::is_same_v<checked<Less>, Less>) {
        constexpr bool compares = is_comparator<Less, A, B>();
        static_assert(compares, "skelrt: the comparator of merges, sets and searches is a function (T, T) -> bool; "
                                "without one they take numbers");
        return compares;
    } else {
        return false;
    }
}

} // namespace skelrt::detail
