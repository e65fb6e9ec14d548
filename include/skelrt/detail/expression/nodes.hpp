// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call.hpp"
#include "map_expression.hpp"

#include <tuple>
#include <type_traits>

/// How the arguments of a call become the nodes of its tree.
namespace skelrt::detail
{

/// Types that every device adds to atomically.
template <class T>
inline constexpr bool can_accumulate = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);
/// Structs that every device swaps. Padding would be compared, too: nobody can tell it from members of floating point.
template <class T>
inline constexpr bool
    can_swap = (sizeof(T) == 4 || sizeof(T) == 8) && std::is_class_v<T>&& std::is_trivially_copyable_v<T>;

template <class Parameter, class Argument>
auto make_accumulator(const Argument& a)
{
    using T = typename Argument::value_type;
    constexpr bool same = std::is_same_v<typename Parameter::value_type, T>;
    constexpr bool swaps = Parameter::rule == accumulate_rule::atomic && can_swap<T>;
    constexpr bool possible = can_accumulate<T> || swaps || Parameter::rule == accumulate_rule::write;
    constexpr bool of_bits = Parameter::rule == accumulate_rule::bit_or || Parameter::rule == accumulate_rule::bit_and;
    constexpr bool has_bits = !of_bits || std::is_integral_v<T>;
    static_assert(same, "skelrt: an sk::accumulator<T> parameter takes a container of the same T");
    static_assert(!same || possible, "skelrt: accumulators have elements of int, long, float or double: complex "
                                     "numbers are added to two of them, short ones to floats; an sk::atomic_vec has "
                                     "also structs of 4 or 8 bytes without padding");
    static_assert(!same || !possible || has_bits, "skelrt: accumulators of bits have elements of int or long");
    if constexpr (same && possible && has_bits) {
        const placement& p = a.place();
        if (p.stride != 1 || (p.rows > 1 && p.ld != p.cols)) throw_not_contiguous();
        return accumulator_leaf<T, Parameter>{a.storage(), p.offset, p.rows * p.cols};
    } else {
        return refused_call{};
    }
}

template <class T>
inline constexpr bool sees_whole = is_vec<T> || is_mat<T> || is_accumulator<T>;

/// Calls whose results are stored before the call that they are an argument of: all that are no maps.
template <class E>
concept stored_call = expression<E> && !reduces_to_one<E> && !requires
{
    typename E::skelrt_map;
};

/// Turns the argument of a call into a leaf, or passes a nested expression on. A mistake is told, and becomes a
/// refused_call. One long function, because compilers tell of every function on the way to a mistake.
template <class Parameter, class Argument>
auto make_node(const Argument& a)
{
    if constexpr (is_refused<Argument>) {
        return a;
    } else if constexpr (expression<Argument>) {
        constexpr bool whole = sees_whole<Parameter>;
        static_assert(!whole, "skelrt: an sk::vec, sk::mat or sk::accumulator parameter takes a container; assign "
                              "the call to one first");
        if constexpr (whole) return refused_call{};
        else if constexpr (reduces_to_one<Argument>) return later_scalar_leaf<Argument>{later_value<Argument>(a)};
        else if constexpr (stored_call<Argument>) return later_leaf<Argument>{later<Argument>(a)};
        else return a;
    } else if constexpr (std::is_same_v<Argument, random_seed>) {
        constexpr bool fits = std::is_same_v<Parameter, random> || std::is_same_v<Parameter, deduced>;
        static_assert(fits, "skelrt: an sk::random_seed is the argument of an sk::random parameter");
        if constexpr (fits) return random_node(a);
        else return refused_call{};
    } else if constexpr (side<Argument>) {
        return make_side_node<Parameter>(a);
    } else if constexpr (scalar_container<Argument>) {
        return scalar_leaf<typename Argument::value_type>{a.storage()};
    } else if constexpr (container<Argument> && is_vec<Parameter>) {
        using T = typename Argument::value_type;
        constexpr bool same = std::is_same_v<Parameter, vec<T>>, fits = Argument::rank == 1;
        static_assert(same, "skelrt: an sk::vec<T> parameter takes an sk::vector<T> of the same T");
        static_assert(!same || fits,
                      "skelrt: an sk::vec parameter takes a vector; pass m.row(i) for a row of a matrix");
        if constexpr (same && fits) return vec_leaf<T>{a.storage(), a.place()};
        else return refused_call{};
    } else if constexpr (container<Argument> && is_mat<Parameter>) {
        using T = typename Argument::value_type;
        constexpr bool same = std::is_same_v<Parameter, mat<T>>, fits = Argument::rank == 2;
        static_assert(same, "skelrt: an sk::mat<T> parameter takes an sk::matrix<T> of the same T");
        static_assert(!same || fits, "skelrt: an sk::mat parameter takes a matrix");
        if constexpr (same && fits) return mat_leaf<T>{a.storage(), a.place()};
        else return refused_call{};
    } else if constexpr (container<Argument> && is_accumulator<Parameter>) {
        return make_accumulator<Parameter>(a);
    } else if constexpr (container<Argument>) {
        return element_leaf<typename Argument::value_type, Argument::rank>{a.storage(), a.place(), Argument::rank};
    } else {
        constexpr bool is_value = element_type<Argument>, whole = sees_whole<Parameter>;
        constexpr bool for_random = std::is_same_v<Parameter, random>;
        constexpr bool converts =
            std::is_same_v<Parameter, deduced> || std::is_convertible_v<const Argument&, Parameter>;
        static_assert(is_value, "skelrt: an argument is a container, a view, a call, or a trivially copyable value");
        static_assert(!is_value || !whole,
                      "skelrt: an sk::vec, sk::mat or sk::accumulator parameter takes a container");
        static_assert(!for_random, "skelrt: an sk::random parameter takes an sk::random_seed");
        static_assert(!is_value || whole || for_random || converts,
                      "skelrt: an argument is a value of another type than the function's parameter");
        if constexpr (!is_value || whole || for_random || !converts) return refused_call{};
        else if constexpr (std::is_same_v<Parameter, deduced>) return uniform_leaf<Argument>{a};
        else return uniform_leaf<Parameter>{static_cast<Parameter>(a)};
    }
}

/// A call of the same function with other arguments: what `change` makes of each node.
template <template <class, class...> class Expression, class Lambda, class... Nodes, class Change>
auto rebuilt(const Expression<Lambda, Nodes...>& e, const Change& change)
{
    return std::apply(
        [&](const auto&... nodes) {
            return Expression<Lambda, decltype(change(nodes))...>(e.source(), e.given(), change(nodes)...);
        },
        e.nodes());
}

/// Whether a stencil whose border is none is in a tree.
template <class N>
inline constexpr bool has_keeping = false;
template <class Lambda, class... Nodes>
inline constexpr bool has_keeping<map_expression<Lambda, Nodes...>> = (has_keeping<Nodes> || ...);
template <class Lambda, class... Nodes>
inline constexpr bool has_keeping<keeping_expression<Lambda, Nodes...>> = true;

/// How many of a call's arguments have stencils in them.
template <class... Args>
inline constexpr std::size_t stencils_in = (std::size_t{has_hoods<Args>} + ... + 0);

/// Whether an argument with stencils in it is evaluated before the call that it is of: with `Store`, and, of several in
/// one call, those whose border is none: which positions they keep depends on their own reach.
template <class Argument, bool Store, std::size_t Stencils>
inline constexpr bool comes_first = has_hoods<Argument> && (Store || (Stencils > 1 && has_keeping<Argument>));

/// As make_node(), of an argument that may come first.
template <class Parameter, bool Store, std::size_t Stencils = 0, class Argument>
auto make_argument(const Argument& a)
{
    if constexpr (comes_first<Argument, Store, Stencils>) return later_leaf<Argument>{later<Argument>(a)};
    else return make_node<Parameter>(a);
}

} // namespace skelrt::detail
