// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "leaf_lists.hpp"

#include <tuple>

/// What the core is told of a call each time: where its operands are.
namespace skelrt::detail
{

/// The elements of a part of a container, row by row, in new data. Defined with the maps.
template <class T>
storage_ref packed_copy(const data_ref& data, const placement& part, int rank);

/// What functions see as memory.
template <template <class> class Leaf, class T>
operand operand_in_memory(const Leaf<T>& node)
{
    constexpr slot_kind kind = Leaf<T>::kind;
    placement p = node.place;
    storage* data = node.data.get();
    if ((p.stride != 1 || goes_back(p.ld)) && p.rows * p.cols > 0) {
        node.packed = packed_copy<T>(node.data, p, kind == slot_kind::vec ? 1 : 2);
        data = node.packed.get();
        p = {0, p.rows, p.cols, p.cols, 1};
    }
    if constexpr (kind == slot_kind::row_vec) return {data, nullptr, p.offset, p.rows, p.cols, p.ld, 0};
    else if constexpr (kind == slot_kind::column_vec) return {data, nullptr, p.offset, p.rows, p.cols, 0, p.ld};
    else return {data, nullptr, p.offset, p.rows, p.cols, p.ld, 1};
}

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
        } else if constexpr (requires { node.packed; }) {
            o = operand_in_memory(node);
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
