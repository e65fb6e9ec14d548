// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../type_text.hpp"
#include "../value_bytes.hpp"
#include "map_expression.hpp"

#include <array>
#include <tuple>

/// What the core is told of a call once: the recipe of its tree.
namespace skelrt::detail
{

template <class T>
struct element_of {
    using type = T;
};
template <class T>
struct element_of<vec<T>> {
    using type = T;
};
template <class T>
struct element_of<mat<T>> {
    using type = T;
};
template <class T>
    requires is_accumulator<T>
struct element_of<T> {
    using type = typename T::value_type;
};

template <class T>
struct element_of<hood1<T>> {
    using type = T;
};
template <class T>
struct element_of<hood2<T>> {
    using type = T;
};
template <class T>
struct element_of<hood3<T>> {
    using type = T;
};

template <class T>
slot_type slot_of(slot_kind kind)
{
    return {kind, type_text<T>(), sizeof(T), alignof(T), value_bytes<T>()};
}

template <class T>
void set_result(recipe& r)
{
    r.result = type_text<T>();
    r.result_size = sizeof(T);
    r.result_align = alignof(T);
    r.result_bytes = value_bytes<T>();
}

/// Adds the slots and function calls of a tree to a recipe; returns what stands for its value. Cold, as all that is
/// done once a call site: so compilers spend neither time nor room on it.
template <class N>
[[gnu::cold]] argument describe(const N& node, recipe& r)
{
    if constexpr (std::is_same_v<N, random_node>) {
        return {argument_kind::random, describe(std::get<0>(node.nodes()), r).which};
    } else if constexpr (requires { node.describe_in(r); }) {
        return node.describe_in(r);
    } else if constexpr (leaf<N>) {
        slot_type slot = slot_of<typename element_of<typename N::value>::type>(N::kind);
        if constexpr (N::kind == slot_kind::accumulator) slot.rule = N::value::rule;
        return add_slot(r, slot);
    } else {
        const auto first = static_cast<unsigned>(r.slots.size());
        const auto arguments = std::apply(
            [&](const auto&... n) { return std::array<argument, sizeof...(n)>{describe(n, r)...}; }, node.nodes());
        const argument result = add_call(r, node.source(), type_text<typename N::value>(), sizeof(typename N::value),
                                         static_cast<unsigned>(N::index), arguments);
        if constexpr (requires { typename N::skelrt_keeps; })
            r.calls.back().kept_slot = static_cast<int>(first + first_hood_leaf<typename N::leaf_types>);
        return result;
    }
}

} // namespace skelrt::detail
