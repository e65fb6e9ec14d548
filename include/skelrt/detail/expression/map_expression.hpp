// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "leaf_lists.hpp"
#include "position.hpp"

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

/// A user function applied to nodes.
namespace skelrt::detail
{

/// The leaves of a tree that gives one value.
template <class List>
inline constexpr bool all_scalars = false;
template <class... L>
inline constexpr bool all_scalars<type_list<L...>> = ((L::kind == slot_kind::scalar || L::kind == slot_kind::uniform) &&
                                                      ...);

template <class N>
inline constexpr bool uses_index = false;

template <class E>
typename E::value value_on_host(const E& e);

/// What a user function makes of the values of argument nodes.
template <class Lambda, class... Nodes>
struct application {
    static constexpr index_use index = index_of<Lambda>();

private:
    template <class... V>
    static auto result_type()
    {
        if constexpr (index == index_use::none) return std::invoke_result<Lambda, V...>{};
        else return std::invoke_result<Lambda, decltype(index_at<index>(std::declval<position>())), V...>{};
    }

public:
    using result = decltype(result_type<typename Nodes::value...>());
    static constexpr bool possible = requires { typename result::type; };
};

/// The call of a user function, if there can be one.
template <template <class, class...> class Expression, class Lambda, class... Nodes>
auto checked_expression(const function_source& source, const extent& given, Nodes... nodes)
{
    if constexpr ((is_refused<Nodes> || ...)) {
        return refused_call{};
    } else {
        using what = application<Lambda, Nodes...>;
        static_assert(what::possible,
                      "skelrt: the user function cannot be called with the elements and values that it gets here; its "
                      "parameters have their types, or are auto, and variables from outside come by SKELRT_FN_WITH");
        if constexpr (what::possible) {
            constexpr bool gives_value = element_type<std::remove_cvref_t<typename what::result::type>>;
            static_assert(gives_value, "skelrt: a user function returns a trivially copyable value, no pointer");
            if constexpr (gives_value) return Expression<Lambda, Nodes...>(source, given, std::move(nodes)...);
            else return refused_call{};
        } else {
            return refused_call{};
        }
    }
}

/// A user function applied to argument nodes. The tree's type says everything that the code needs; its values are the
/// data.
template <class Lambda, class... Nodes>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] map_expression
    : public operators::enabled
{
public:
    using skelrt_expression = void;
    using skelrt_map = void;
    static constexpr std::size_t leaves = (leaf_count<Nodes>::value + ... + 0);
    static constexpr index_use index = index_of<Lambda>();
    using leaf_types = typename concat<leaves_of<Nodes>...>::type;
    /// Made of scalars and values: it is one value itself.
    static constexpr bool is_one_value =
        leaves > 0 && all_scalars<leaf_types> && index == index_use::none && !(uses_index<Nodes> || ...);

    using value = std::remove_cvref_t<typename application<Lambda, Nodes...>::result::type>;
    static_assert(element_type<value>, "skelrt: a user function returns a trivially copyable value, no pointer");

    map_expression(const function_source& source, const extent& given, Nodes... nodes)
        : source_(source), given_(given), nodes_(std::move(nodes)...)
    {
    }

    const function_source& source() const noexcept { return source_; }
    const extent& given() const noexcept { return given_; }
    const std::tuple<Nodes...>& nodes() const noexcept { return nodes_; }

    /// The value of a call of scalars and values, on the host: waits for these.
    operator value() const requires(is_one_value) { return value_on_host(*this); }
    /// if (a == b) of containers.
    template <class B>
        requires(std::is_same_v<B, bool> && std::is_same_v<value, bool> && !is_one_value)
    explicit operator B() const
    {
        static_assert(!std::is_same_v<B, bool>,
                      "skelrt: a comparison of containers is a condition for each element; write sk::all(a == b), or "
                      "sk::any(a != b)");
        return false;
    }

    template <std::size_t First, class Reader>
    static value apply(const Reader& read, const position& at)
    {
        return apply_nodes<First>(read, at, std::index_sequence_for<Nodes...>{});
    }

private:
    template <std::size_t K>
    static constexpr std::size_t leaves_before()
    {
        constexpr std::array<std::size_t, sizeof...(Nodes) + 1> counts{leaf_count<Nodes>::value..., 0};
        std::size_t n = 0;
        for (std::size_t i = 0; i < K; ++i) n += counts[i];
        return n;
    }

    template <std::size_t First, class Reader, std::size_t... K>
    static value apply_nodes(const Reader& read, const position& at, std::index_sequence<K...>)
    {
        if constexpr ((sees_more<typename Nodes::value> || ...) && !Reader::checked) {
            if constexpr (index != index_use::none)
                return call_unchecked<Lambda>(index_at<index>(at),
                                              evaluate<Nodes, First + leaves_before<K>()>(read, at)...);
            else return call_unchecked<Lambda>(evaluate<Nodes, First + leaves_before<K>()>(read, at)...);
        } else if constexpr (index != index_use::none) {
            return Lambda{}(index_at<index>(at), evaluate<Nodes, First + leaves_before<K>()>(read, at)...);
        } else {
            return Lambda{}(evaluate<Nodes, First + leaves_before<K>()>(read, at)...);
        }
    }

    function_source source_;
    extent given_;
    std::tuple<Nodes...> nodes_;
};

/// What a tree reads at positions whose hoods leave the grid.
template <class Reader>
struct edge_reader {
    static constexpr bool checked = Reader::checked;
    const Reader& inner;
    template <std::size_t I>
    decltype(auto) get(std::size_t col) const
    {
        return inner.template get<I>(col);
    }
};
template <class Reader>
inline constexpr bool is_at_edge = false;
template <class Reader>
inline constexpr bool is_at_edge<edge_reader<Reader>> = true;

template <class List>
inline constexpr std::size_t first_hood_leaf = 0;
template <class L, class... Rest>
    requires(!sees_hood(L::kind))
inline constexpr std::size_t first_hood_leaf<type_list<L, Rest...>> = 1 + first_hood_leaf<type_list<Rest...>>;

template <class T>
const T& center_of(const hood1<T>& u)
{
    return u(0);
}
template <class T>
const T& center_of(const hood2<T>& u)
{
    return u(0, 0);
}
template <class T>
const T& center_of(const hood3<T>& u)
{
    return u(0, 0, 0);
}

/// A stencil whose border is none: at the edge its result is the element of its first hood, and not the function's.
template <class Lambda, class... Nodes>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] keeping_expression
    : public map_expression<Lambda, Nodes...>
{
    using base = map_expression<Lambda, Nodes...>;

public:
    using skelrt_keeps = void;
    using map_expression<Lambda, Nodes...>::map_expression;

    template <std::size_t First, class Reader>
    static typename base::value apply(const Reader& read, const position& at)
    {
        constexpr std::size_t hood = First + first_hood_leaf<typename base::leaf_types>;
        if constexpr (is_at_edge<Reader>) return center_of(read.template get<hood>(at.c));
        else return base::template apply<First>(read, at);
    }
};

template <class Lambda, class... Nodes>
inline constexpr bool uses_index<keeping_expression<Lambda, Nodes...>> = uses_index<map_expression<Lambda, Nodes...>>;
template <class Lambda, class... Nodes>
inline constexpr bool uses_index<map_expression<Lambda, Nodes...>> = map_expression<Lambda, Nodes...>::index !=
                                                                         index_use::none ||
                                                                     (uses_index<Nodes> || ...);
template <>
inline constexpr bool uses_index<random_node> = true;

/// Whether a tree asks for that index.
template <class N, index_use Use>
inline constexpr bool uses = false;
template <class Lambda, class... Nodes, index_use Use>
inline constexpr bool uses<keeping_expression<Lambda, Nodes...>, Use> = uses<map_expression<Lambda, Nodes...>, Use>;
template <class Lambda, class... Nodes, index_use Use>
inline constexpr bool uses<map_expression<Lambda, Nodes...>, Use> = map_expression<Lambda, Nodes...>::index == Use ||
                                                                    (uses<Nodes, Use> || ...);

} // namespace skelrt::detail
