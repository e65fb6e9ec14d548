// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "leaf_lists.hpp"

#include <tuple>

/// What the core is told of a call each time: where its operands are.
namespace skelrt::detail
{

template <class N>
void collect_operands(const N& node, operand*& out)
{
    if constexpr (leaf<N>) {
        operand& o = *out++;
        if constexpr (requires { node.held; }) {
            o.value = &node.held;
        } else if constexpr (requires { node.source.lines(); }) {
            const placement p = node.source.lines();
            o = {node.source.get(), &node.border, p.offset, p.rows, p.cols, p.ld, p.stride};
        } else if constexpr (requires { node.source; }) {
            o.data = node.source.get();
            o.rows = o.data->shape_rows;
            o.cols = o.ld = o.data->shape_cols;
            if constexpr (N::kind == slot_kind::hood) o.value = &node.border;
        } else if constexpr (N::kind == slot_kind::accumulator) {
            o = {node.data.get(), nullptr, node.offset, 1, node.size, node.size, 1};
        } else {
            o.data = node.data.get();
            if constexpr (N::kind == slot_kind::scalar) o.rows = o.cols = o.ld = 1;
            else
                o = {o.data,          nullptr,       node.place.offset, node.place.rows,
                     node.place.cols, node.place.ld, node.place.stride};
        }
    } else {
        std::apply([&](const auto&... n) { (collect_operands(n, out), ...); }, node.nodes());
    }
}

/// The shape of all hoods of a tree.
template <class N>
void collect_shape(const N& node, stencil_shape& all)
{
    if constexpr (!leaf<N>) std::apply([&](const auto&... n) { (collect_shape(n, all), ...); }, node.nodes());
    else if constexpr (sees_hood(N::kind)) join_shape(all, node.shape);
}

} // namespace skelrt::detail
