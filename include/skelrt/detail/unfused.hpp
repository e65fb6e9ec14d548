// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "map_call.hpp"

/// Calls without fusion: nested calls are evaluated one by one, into temporaries. For comparisons, and to find out
/// whether it is fusion that is to blame. The tree's type is another one then, so this costs compile time where calls
/// nest, and only there.
namespace skelrt::detail
{

template <class N>
inline constexpr bool is_call = false;
template <class Lambda, class... Nodes>
inline constexpr bool is_call<map_expression<Lambda, Nodes...>> = true;
template <class Lambda, class... Nodes>
inline constexpr bool is_call<keeping_expression<Lambda, Nodes...>> = true;

/// Whether a tree has calls among its arguments.
template <class N>
inline constexpr bool has_nested_calls = false;
template <class Lambda, class... Nodes>
inline constexpr bool has_nested_calls<map_expression<Lambda, Nodes...>> = (is_call<Nodes> || ...);
template <class Lambda, class... Nodes>
inline constexpr bool has_nested_calls<keeping_expression<Lambda, Nodes...>> = (is_call<Nodes> || ...);

template <class N>
auto settled(const N& node, const extent& x);

/// The same call with its nested calls done.
template <class Lambda, class... Nodes>
auto unfused(const map_expression<Lambda, Nodes...>& e, const extent& x)
{
    return rebuilt(e, [&](const auto& node) { return settled(node, x); });
}
template <class Lambda, class... Nodes>
auto unfused(const keeping_expression<Lambda, Nodes...>& e, const extent& x)
{
    return rebuilt(e, [&](const auto& node) { return settled(node, x); });
}

/// Evaluates a call over all of x into new data; calls in it come first.
template <class N>
storage_ref evaluate_to_temporary(const N& e, const extent& x)
{
    if constexpr (has_nested_calls<N>) {
        return evaluate_to_temporary(unfused(e, x), x);
    } else {
        return run_map_to_temporary(collected_map(map_site(e), e, x.cols), x, sizeof(typename N::value));
    }
}

/// An argument as it is, or, of a call, its result.
template <class N>
auto settled(const N& node, const extent& x)
{
    if constexpr (is_call<N>)
        return element_leaf<typename N::value>{
            evaluate_to_temporary(node, x), {0, x.rows, x.cols, x.cols, 1, x.inner}, x.rank};
    else return node;
}

} // namespace skelrt::detail
