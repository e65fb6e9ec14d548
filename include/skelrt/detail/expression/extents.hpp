// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "map_expression.hpp"

#include <tuple>

/// The extent of a call, and whether its operands fit.
namespace skelrt::detail
{

template <class N>
extent leaf_extent(const N& node)
{
    if constexpr (requires { node.source; }) return node.source.shape();
    else return extent_of(node.rank, node.place);
}

template <class N>
inline constexpr bool is_transposed = false;
template <class T>
inline constexpr bool is_transposed<transposed_leaf<T>> = true;

/// Completes `e` from the element operands; a mismatch throws. `argument` counts the leaves for the message.
template <class N>
void join_extent(const N& node, extent& e, std::size_t& argument, const recipe& r)
{
    if constexpr (leaf<N>) {
        if constexpr (N::kind == slot_kind::element || N::kind == slot_kind::hood) {
            join_operand(e, leaf_extent(node), argument, r);
        } else if constexpr (is_transposed<N>) {
            join_operand(e, extent_of(2, node.place), argument, r);
        } else if constexpr (N::kind == slot_kind::row_element || N::kind == slot_kind::row_vec) {
            if (!e.join({2, node.place.rows, extent::unknown}))
                throw_side_mismatch(r, argument, node.place.rows, true, e.rows, e.rank == 2);
        } else if constexpr (N::kind == slot_kind::column_element || N::kind == slot_kind::column_vec) {
            const std::size_t n = N::kind == slot_kind::column_vec ? node.place.rows : node.place.cols;
            if (!e.join({2, extent::unknown, n})) throw_side_mismatch(r, argument, n, false, e.cols, e.rank == 2);
        }
        ++argument;
    } else {
        if (node.given().rank != 0) join_operand(e, node.given(), argument, r);
        std::apply([&](const auto&... n) { (join_extent(n, e, argument, r), ...); }, node.nodes());
    }
}

/// The indices of matrices and tensors that a tree asks for: bit 2 stands for index2, and so on.
template <class N>
inline constexpr unsigned asked_indices = (uses<N, index_use::two> ? 1u << 2 : 0u) |
                                          (uses<N, index_use::three> ? 1u << 3 : 0u) |
                                          (uses<N, index_use::four> ? 1u << 4 : 0u);

/// Once the extent is complete.
template <class N>
void check_indices(const extent& e, const recipe& r)
{
    if constexpr (asked_indices<N> != 0) check_indices(asked_indices<N>, e, r);
}

} // namespace skelrt::detail
