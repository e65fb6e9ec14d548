// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../function.hpp"

#include <cstddef>
#include <type_traits>

/// What a user function says of its parameters.
namespace skelrt::detail
{

template <class... P>
struct type_list {
    static constexpr std::size_t size = sizeof...(P);
};

template <class M>
struct parameters_of;
template <class C, class R, class... P>
struct parameters_of<R (C::*)(P...) const> {
    using list = type_list<std::remove_cvref_t<P>...>;
};
template <class C, class R, class... P>
struct parameters_of<R (C::*)(P...) const noexcept> {
    using list = type_list<std::remove_cvref_t<P>...>;
};

/// Generic lambdas have no single call operator: their parameters are the elements. Complete, as g++ 14 wants it to be
/// wherever a trait names it.
struct deduced {
};

template <std::size_t I, class List>
struct nth {
    using type = deduced;
};
template <class P, class... Rest>
struct nth<0, type_list<P, Rest...>> {
    using type = P;
};
template <std::size_t I, class P, class... Rest>
    requires(I > 0)
struct nth<I, type_list<P, Rest...>> : nth<I - 1, type_list<Rest...>> {
};

template <class Lambda>
struct signature {
    static constexpr bool generic = true;
    using list = type_list<>;
};
template <class Lambda>
    requires requires { &Lambda::operator(); }
struct signature<Lambda> {
    static constexpr bool generic = false;
    using list = typename parameters_of<decltype(&Lambda::operator())>::list;
};

enum class index_use { none, one, two, three, four };

template <class Lambda>
constexpr index_use index_of()
{
    using first = typename nth<0, typename signature<Lambda>::list>::type;
    if constexpr (std::is_same_v<first, index1>) return index_use::one;
    else if constexpr (std::is_same_v<first, index2>) return index_use::two;
    else if constexpr (std::is_same_v<first, index3>) return index_use::three;
    else if constexpr (std::is_same_v<first, index4>) return index_use::four;
    else return index_use::none;
}

/// The I-th argument's parameter, indices not counted.
template <class Lambda, std::size_t I>
using parameter =
    typename nth<I + (index_of<Lambda>() == index_use::none ? 0 : 1), typename signature<Lambda>::list>::type;

} // namespace skelrt::detail
