// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "for_each.hpp"

namespace skelrt
{

namespace detail
{

inline constexpr auto gathered_element = [](const auto& i, const auto& x) { return x[i]; };
inline constexpr auto scattered_element = [](const auto& x, const auto& i, const auto& to) {
    to.add(static_cast<std::size_t>(i), x);
};

/// An empty vector has no element that an index could mean.
template <class Indices>
void check_indexed(const char* what, std::size_t elements, const Indices& at)
{
    if (elements > 0) return;
    recipe r;
    r.name = what;
    extent x;
    std::size_t argument = 0;
    join_extent(at, x, argument, r);
    if (x.rows * x.cols > 0) throw_indices_of_nothing(what, x);
}

} // namespace detail

/// The elements of x at the places that `index` says: element p is x[index[p]]. Indices are whole numbers, or a map
/// call that gives them; they are not checked.
///
/// A lazy map call of the shape of `index`: it nests and fuses. x is a vector or a part of one, and is read whole, so
/// every device that takes part has all of it. O(size of index).
/// Errors: as sk::map; indices into an empty vector.
template <class X, class Index>
auto gather(const X& x, const Index& index)
{
    static_assert(detail::container<X> && X::rank == 1, "skelrt: sk::gather takes elements of a vector");
    using T = typename X::value_type;
    auto at = detail::make_node<detail::deduced>(index);
    static_assert(std::is_integral_v<typename decltype(at)::value>,
                  "skelrt: sk::gather takes whole numbers as indices");
    detail::check_indexed("sk::gather", x.size(), at);
    using node = detail::map_expression<std::remove_const_t<decltype(detail::gathered_element)>, decltype(at),
                                        detail::vec_leaf<T>>;
    const detail::function_source source{"(auto i, auto x) { return x[i]; }", "sk::gather", 1};
    return node(source, detail::extent{}, std::move(at), detail::vec_leaf<T>{x.storage(), x.place()});
}

/// Adds x[p] to into[index[p]] for every p; indices may repeat, and are not checked. As sk::for_each with an
/// sk::accumulator, errors and costs included: x and index have one shape, `into` any, and is neither of them.
template <class X, class Index, class Into>
void scatter_add(const X& x, const Index& index, Into&& into)
{
    using T = typename std::remove_cvref_t<Into>::value_type;
    auto value = detail::fused_or_stored_argument<detail::deduced>(x);
    auto at = detail::fused_or_stored_argument<detail::deduced>(index);
    static_assert(std::is_same_v<typename decltype(value)::value, T>,
                  "skelrt: sk::scatter_add takes elements of the type of those that it adds to");
    static_assert(std::is_integral_v<typename decltype(at)::value>,
                  "skelrt: sk::scatter_add takes whole numbers as indices");
    detail::check_indexed("sk::scatter_add", into.size(), at);
    using node =
        detail::map_expression<detail::without_result<std::remove_const_t<decltype(detail::scattered_element)>>,
                               decltype(value), decltype(at), detail::accumulator_leaf<T>>;
    const detail::function_source source{"(auto x, auto i, auto to) { to.add((size_t)i, x); }", "sk::scatter_add", 1};
    detail::run_accumulate(node(source, detail::extent{}, std::move(value), std::move(at),
                                detail::make_accumulator<accumulator<T>>(into)));
}

} // namespace skelrt
