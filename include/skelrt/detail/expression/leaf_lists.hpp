// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "leaves.hpp"
#include "signature.hpp"

#include <cstddef>

/// The leaves of a tree as a flat list, and what that says of the tree.
namespace skelrt::detail
{

template <class N>
struct leaf_count {
    static constexpr std::size_t value = N::leaves;
};
template <leaf N>
struct leaf_count<N> {
    static constexpr std::size_t value = 1;
};

template <class... Lists>
struct concat;
template <>
struct concat<> {
    using type = type_list<>;
};
template <class... A>
struct concat<type_list<A...>> {
    using type = type_list<A...>;
};
template <class... A, class... B, class... Rest>
struct concat<type_list<A...>, type_list<B...>, Rest...> {
    using type = typename concat<type_list<A..., B...>, Rest...>::type;
};

template <class N>
struct leaf_list {
    using type = typename N::leaf_types;
};
template <leaf N>
struct leaf_list<N> {
    using type = type_list<N>;
};
template <class N>
using leaves_of = typename leaf_list<N>::type;

template <class List>
inline constexpr bool any_hood = false;
template <class... L>
inline constexpr bool any_hood<type_list<L...>> = (sees_hood(L::kind) || ...);

/// Whether a tree is a stencil: some leaf of it is a hood.
template <class N>
inline constexpr bool has_hoods = false;
template <class N>
    requires(leaf<N> || requires { typename N::leaf_types; })
inline constexpr bool has_hoods<N> = any_hood<typename leaf_list<N>::type>;

template <class List>
inline constexpr bool any_side = false;
template <class... L>
inline constexpr bool
    any_side<type_list<L...>> = ((L::kind == slot_kind::row_element || L::kind == slot_kind::column_element ||
                                  L::kind == slot_kind::row_vec || L::kind == slot_kind::column_vec) ||
                                 ...);

/// Whether a tree has operands that do not move along every axis, or are read the other way round. The kernels of
/// stencils know none of these: in such a tree, stencils are evaluated first.
template <class N>
inline constexpr bool has_sides = false;
template <class N>
    requires(leaf<N> || requires { typename N::leaf_types; })
inline constexpr bool has_sides<N> = any_side<typename leaf_list<N>::type>;

} // namespace skelrt::detail
