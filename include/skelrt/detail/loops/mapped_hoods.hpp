// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "maps.hpp"

/// Maps under the hoods of a stencil: part of its kernel where that can be, evaluated first elsewhere. See
/// docs/decisions/0012.
namespace skelrt::detail
{

/// An operand of a map under a hood, as the stencil's own loops see it: not at all.
template <class T>
struct source_leaf {
    using value = T;
    static constexpr slot_kind kind = slot_kind::hood_source;
};

/// The hood that the stencil's function sees; what it holds is made by the map.
template <class T, int Rank>
struct seen_leaf {
    using value = typename hood_of<T, Rank>::type;
    static constexpr slot_kind kind = slot_kind::mapped_hood;
    T held; ///< border::constant
    stencil_shape shape;
};

template <class T, bool Linear>
struct column_reader<source_leaf<T>, Linear> {
    column_reader(const slot_view&, std::size_t) {}
};

template <class T, int Rank, bool Linear>
struct column_reader<seen_leaf<T, Rank>, Linear> : column_reader<hood_leaf<T, Rank, present<Rank>>, Linear> {
    using column_reader<hood_leaf<T, Rank, present<Rank>>, Linear>::column_reader;
};

template <class Leaf>
struct under_hood {
    using type = Leaf;
};
template <class Leaf>
    requires(Leaf::kind == slot_kind::element)
struct under_hood<Leaf> {
    using type = source_leaf<typename Leaf::value>;
};

template <class List>
struct leaves_under_hood;
template <class... L>
struct leaves_under_hood<type_list<L...>> {
    using type = type_list<typename under_hood<L>::type...>;
    static constexpr std::size_t elements = ((L::kind == slot_kind::element) + ... + 0);
    static constexpr bool fit =
        ((L::kind == slot_kind::element || L::kind == slot_kind::uniform || L::kind == slot_kind::scalar) && ...);
};

/// Whether a call may be computed wherever a hood looks: it is made of elements and values, and does not ask where it
/// is.
template <class E>
inline constexpr bool fits_under_hood = false;
template <maps_values E>
inline constexpr bool fits_under_hood<E> = leaves_under_hood<leaves_of<E>>::fit &&
                                           (leaves_under_hood<leaves_of<E>>::elements > 0) && !uses_index<E>;

/// A hood argument that is a map call. Its type says that the map becomes part of the stencil's kernel; whether it does
/// is decided when the call is evaluated: maps_stay().
template <class T, int Rank, class E>
class mapped_hood
{
    using under = leaves_under_hood<leaves_of<E>>;

public:
    static constexpr std::size_t leaves = leaf_count<E>::value + 1;
    using leaf_types = typename concat<typename under::type, type_list<seen_leaf<T, Rank>>>::type;
    using value = typename hood_of<T, Rank>::type;

    mapped_hood(E what, const stencil_shape& shape, const T& border) : what_(std::move(what)), seen_{border, shape} {}

    const E& what() const noexcept { return what_; }
    std::tuple<const E&, const seen_leaf<T, Rank>&> nodes() const noexcept { return {what_, seen_}; }
    const extent& given() const noexcept
    {
        static const extent none;
        return none;
    }

    template <std::size_t First, class Reader>
    static value apply(const Reader& read, const position& at)
    {
        return read.template get<First + leaf_count<E>::value>(at.c);
    }

    /// The map's operands and the hood as slots; the map's functions as calls of their own.
    argument describe_in(recipe& r) const
    {
        hood_map m{static_cast<unsigned>(r.slots.size()), 0, static_cast<unsigned>(r.calls.size()), 0, &map_block<E>};
        m.call = describe(what_, r).which;
        for (unsigned k = m.first; k < r.slots.size(); ++k)
            if (r.slots[k].kind == slot_kind::element) r.slots[k].kind = slot_kind::hood_source;
        const argument hood = add_slot(r, slot_of<T>(slot_kind::mapped_hood));
        m.slot = hood.which;
        r.hood_maps.push_back(m);
        return hood;
    }

    /// The same hood over the map's results in a container.
    hood_leaf<T, Rank, later<E>> evaluated() const { return {later<E>(what_), seen_.shape, seen_.held}; }

private:
    E what_;
    seen_leaf<T, Rank> seen_;
};

template <class N>
inline constexpr bool is_mapped_hood = false;
template <class T, int Rank, class E>
inline constexpr bool is_mapped_hood<mapped_hood<T, Rank, E>> = true;

template <class N>
inline constexpr bool has_mapped_hoods = is_mapped_hood<N>;
template <class Lambda, class... Nodes>
inline constexpr bool has_mapped_hoods<map_expression<Lambda, Nodes...>> = (has_mapped_hoods<Nodes> || ...);
template <class Lambda, class... Nodes>
inline constexpr bool has_mapped_hoods<keeping_expression<Lambda, Nodes...>> = (has_mapped_hoods<Nodes> || ...);

/// Whether all elements under a tree are those of whole containers: what lies around a position of these can travel.
template <class N>
bool over_containers(const N& node)
{
    if constexpr (!leaf<N>) {
        return std::apply([](const auto&... n) { return (over_containers(n) && ...); }, node.nodes());
    } else if constexpr (N::kind == slot_kind::element) {
        if constexpr (requires { node.source; }) return true;
        else
            return node.place.stride == 1 &&
                   is_whole_container(node.data.get(), extent_of(node.rank, node.place), node.place.ld);
    } else {
        return true;
    }
}

template <class N>
bool operands_allow_maps(const N& node)
{
    if constexpr (is_mapped_hood<N>) return over_containers(node.what());
    else if constexpr (!has_mapped_hoods<N>) return true;
    else return std::apply([](const auto&... n) { return (operands_allow_maps(n) && ...); }, node.nodes());
}

/// Whether the maps under the hoods of a call become part of its kernel.
template <class N>
bool maps_stay(const N& e, const recipe& r)
{
    return fuses() && operands_allow_maps(e) && hoods_fit(r);
}

/// A call with the maps under its hoods evaluated first.
template <class N>
auto hoods_first(const N& node)
{
    if constexpr (is_mapped_hood<N>) return node.evaluated();
    else return node;
}

template <class Lambda, class... Nodes>
auto hoods_first(const map_expression<Lambda, Nodes...>& e)
{
    return rebuilt(e, [](const auto& node) { return hoods_first(node); });
}
template <class Lambda, class... Nodes>
auto hoods_first(const keeping_expression<Lambda, Nodes...>& e)
{
    return rebuilt(e, [](const auto& node) { return hoods_first(node); });
}

/// A call with the stencils in it evaluated first.
template <class N>
auto stencils_first(const N& node)
{
    return node;
}
template <class Lambda, class... Nodes>
auto stencils_first(const keeping_expression<Lambda, Nodes...>& e)
{
    return later_leaf<keeping_expression<Lambda, Nodes...>>{later<keeping_expression<Lambda, Nodes...>>(e)};
}
template <class Lambda, class... Nodes>
auto stencils_first(const map_expression<Lambda, Nodes...>& e)
{
    return rebuilt(e, [](const auto& node) { return stencils_first(node); });
}

} // namespace skelrt::detail
