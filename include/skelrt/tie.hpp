// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "map.hpp"
#include "reduce.hpp"
#include "scalar.hpp"
#include "tensor.hpp"

#include <cstddef>
#include <tuple>

namespace skelrt
{

namespace detail
{

/// Member I of an aggregate with Count members, by reference.
template <std::size_t I, std::size_t Count, class S>
auto& member(S& s)
{
    static_assert(Count >= 2 && Count <= 6, "skelrt: sk::tie takes two to six containers");
    if constexpr (Count == 2) {
        auto& [a, b] = s;
        return std::get<I>(std::tie(a, b));
    } else if constexpr (Count == 3) {
        auto& [a, b, c] = s;
        return std::get<I>(std::tie(a, b, c));
    } else if constexpr (Count == 4) {
        auto& [a, b, c, d] = s;
        return std::get<I>(std::tie(a, b, c, d));
    } else if constexpr (Count == 5) {
        auto& [a, b, c, d, e] = s;
        return std::get<I>(std::tie(a, b, c, d, e));
    } else {
        auto& [a, b, c, d, e, f] = s;
        return std::get<I>(std::tie(a, b, c, d, e, f));
    }
}

template <class S, std::size_t Count, std::size_t I>
using member_type = std::remove_cvref_t<decltype(member<I, Count>(std::declval<S&>()))>;

/// Bytes in front of member I.
template <class S, std::size_t Count, std::size_t I>
std::uint32_t member_offset()
{
    alignas(S) std::byte bytes[sizeof(S)]; // looked at, never read
    S& s = reinterpret_cast<S&>(bytes);
    return static_cast<std::uint32_t>(reinterpret_cast<std::byte*>(&member<I, Count>(s)) - bytes);
}

template <class S, class Outputs>
class tied_expression;

/// A call whose result is a struct and whose members go to containers of their own: the last to the result slot, the
/// others to output slots.
template <class N, class... Outputs>
class tied_expression<N, type_list<Outputs...>>
{
public:
    static constexpr std::size_t count = sizeof...(Outputs) + 1;
    static constexpr std::size_t leaves = leaf_count<N>::value + sizeof...(Outputs);
    static constexpr index_use index = index_use::none;
    using leaf_types = typename concat<leaves_of<N>, type_list<Outputs...>>::type;
    using structure = typename N::value;
    using value = member_type<structure, count, count - 1>;

    tied_expression(N node, Outputs... outputs) : nodes_(std::move(node), std::move(outputs)...) {}
    const N& inner() const noexcept { return std::get<0>(nodes_); }
    const std::tuple<N, Outputs...>& nodes() const noexcept { return nodes_; }
    const extent& given() const noexcept
    {
        static const extent none;
        return none;
    }

    template <std::size_t First, class Reader>
    static value apply(const Reader& read, const position& at)
    {
        auto v = evaluate<N, First>(read, at);
        store<First>(read, at, v, std::index_sequence_for<Outputs...>{});
        return member<count - 1, count>(v);
    }

    /// The same for another call of the same type of result.
    template <class M>
    auto of(M other) const
    {
        return std::apply(
            [&](const N&, const Outputs&... o) {
                return tied_expression<M, type_list<Outputs...>>(std::move(other), o...);
            },
            nodes_);
    }

private:
    template <std::size_t First, class Reader, std::size_t... I>
    static void store(const Reader& read, const position& at, structure& v, std::index_sequence<I...>)
    {
        ((read.template get<First + leaf_count<N>::value + I>(at.c) = member<I, count>(v)), ...);
    }

    std::tuple<N, Outputs...> nodes_;
};

template <class N, class List>
inline constexpr bool uses_index<tied_expression<N, List>> = uses_index<N>;
template <class N, class List, index_use Use>
inline constexpr bool uses<tied_expression<N, List>, Use> = uses<N, Use>;
template <class N, class List>
inline constexpr bool has_nested_calls<tied_expression<N, List>> = has_nested_calls<N>;
template <class N, class List>
auto unfused(const tied_expression<N, List>& e, const extent& x)
{
    return e.of(unfused(e.inner(), x));
}

template <class N, class... Outputs>
[[gnu::cold]] argument describe(const tied_expression<N, type_list<Outputs...>>& e, recipe& r)
{
    using tied = tied_expression<N, type_list<Outputs...>>;
    const argument root = describe(e.inner(), r);
    const auto add = [&]<std::size_t... I>(std::index_sequence<I...>)
    {
        ((r.members.push_back(
             {static_cast<unsigned>(r.slots.size() + I), member_offset<typename tied::structure, tied::count, I>()})),
         ...);
    };
    add(std::make_index_sequence<tied::count>{}); // the result slot follows the outputs
    (add_slot(r, slot_of<typename element_of<typename Outputs::value>::type>(slot_kind::output)), ...);
    return root;
}

/// What sk::tie makes.
template <class... Containers>
class [[nodiscard]] tied
{
    static constexpr std::size_t count = sizeof...(Containers);

public:
    explicit tied(Containers&... to) : to_(to...) {}
    tied(const tied&) = delete;

    template <expression E>
    void operator=(const E& e) const
    {
        constexpr bool is_map = requires { typename E::skelrt_map; };
        static_assert(is_map, "skelrt: what is assigned to sk::tie is a map call that returns a struct");
        if constexpr (is_map && !is_refused<E>) {
            if constexpr (fuses_keeping<E>) {
                *this = stencils_first(e);
            } else {
                static_assert(!has_hoods<E>, "skelrt: a stencil gives one result; assign it to a container of structs");
                if constexpr (!has_hoods<E>) assign(e, std::make_index_sequence<count - 1>{});
            }
        }
    }

    /// Reductions by row or by column.
    template <class E>
        requires requires { typename E::skelrt_together; }
    void operator=(const E& e) const
    {
        constexpr bool as_many = E::count == count;
        static_assert(as_many, "skelrt: sk::tie takes as many results as sk::together has reductions");
        static_assert(!E::gives_values,
                      "skelrt: reductions to one value go to sk::scalars or plain variables of an sk::tie, not to "
                      "containers");
        constexpr bool vectors = E::gives_values || ((Containers::rank == 1) && ...);
        static_assert(vectors, "skelrt: reductions by row or by column go to vectors");
        if constexpr (as_many && !E::gives_values && vectors) e.into_vectors(*this);
    }

private:
    template <std::size_t I>
    using container = std::tuple_element_t<I, std::tuple<Containers...>>;

    /// Where member I goes: the container's own data, or new data that takes its place afterwards.
    template <std::size_t I, class E>
    storage_ref destination(const extent& x, const recipe& r, const operand* operands) const
    {
        using C = container<I>;
        static_assert(std::is_same_v<typename C::value_type, member_type<typename E::value, count, I>>,
                      "skelrt: a container of sk::tie has another element type than the member of the struct");
        C& to = std::get<I>(to_);
        const extent own = extent_of(C::rank, to.place());
        if (x.rank != C::rank) throw_shape_mismatch(r, leaf_count<E>::value + I, own, x);
        if (to.storage() && own == x &&
            may_write_elements(r, operands, leaf_count<E>::value, *to.storage(), sizeof(typename C::value_type)))
            return to.storage();
        return make_result<typename C::value_type, E>(r, x, operands);
    }

    template <class E, std::size_t... I>
    void assign(const E& e, std::index_sequence<I...>) const
    {
        using tied_call = tied_expression<E, type_list<output_leaf<typename container<I>::value_type>...>>;
        const recipe& plain = map_site(e).what;
        extent x;
        std::size_t argument = 0;
        join_extent(e, x, argument, plain);
        if (std::get<0>(to_).storage()) x.complete(extent_of(container<0>::rank, std::get<0>(to_).place()));
        else if (!x.known()) throw_no_shape(plain);
        operand inputs[leaf_count<E>::value + 1];
        operand* out = inputs;
        collect_operands(e, out);
        const void* targets[] = {&std::get<I>(to_)..., &std::get<count - 1>(to_)};
        check_distinct(plain, targets, count);
        const placement all{0, x.rows, x.cols, x.cols, 1, x.inner};
        const storage_ref made[] = {destination<I, E>(x, plain, inputs)...,
                                    destination<count - 1, E>(x, plain, inputs)};
        const tied_call whole(e, output_leaf<typename container<I>::value_type>{made[I], all}...);
        if constexpr (has_nested_calls<E>) {
            if (!fuses()) run(unfused(whole, x), x, made[count - 1], all);
            else run(whole, x, made[count - 1], all);
        } else {
            run(whole, x, made[count - 1], all);
        }
        (put<I>(made[I]), ...);
        put<count - 1>(made[count - 1]);
    }

    template <class E>
    static void run(const E& e, const extent& x, const storage_ref& last, const placement& all)
    {
        run_map(collected_map(map_site(e), e, all.cols), x.rank, last.get(), all);
    }

    template <std::size_t I>
    void put(const storage_ref& made) const
    {
        if (std::get<I>(to_).storage().get() != made.get()) replace(std::get<I>(to_), storage_ref(made));
    }

    std::tuple<Containers&...> to_;
};

/// Of what cannot be tied.
template <>
class tied<>
{
public:
    template <class E>
    void operator=(const E&) const
    {
    }
};

template <class T>
inline constexpr bool is_scalar = false;
template <class T>
inline constexpr bool is_scalar<scalar<T>> = true;

/// What sk::tie makes of scalars and plain variables.
template <class... Targets>
class [[nodiscard]] tied_values
{
    static constexpr std::size_t count = sizeof...(Targets);
    static constexpr bool waits = !(is_scalar<Targets> && ...);

public:
    explicit tied_values(Targets&... to) : to_(to...) {}
    tied_values(const tied_values&) = delete;

    template <class E>
    void operator=(const E& e) const
    {
        constexpr bool reduces = requires { typename E::skelrt_together; };
        static_assert(reduces || is_refused<E>,
                      "skelrt: what is assigned to an sk::tie of scalars and plain variables is an sk::together of "
                      "reductions");
        if constexpr (reduces) {
            constexpr bool as_many = E::count == count;
            static_assert(as_many, "skelrt: sk::tie takes as many results as sk::together has reductions");
            static_assert(E::gives_values, "skelrt: reductions by row or by column go to vectors");
            if constexpr (as_many && E::gives_values) {
                if constexpr (waits) put(e.get(), std::make_index_sequence<count>{});
                else e.into(to_);
            }
        }
    }

private:
    template <class Values, std::size_t... I>
    void put(const Values& all, std::index_sequence<I...>) const
    {
        (put_one(std::get<I>(to_), std::get<I>(all)), ...);
    }

    template <class Target, class T>
    static void put_one(Target& to, const T& value)
    {
        constexpr bool fits = std::is_same_v<Target, T> || std::is_same_v<Target, scalar<T>> ||
                              (std::is_arithmetic_v<Target> && std::is_arithmetic_v<T> && keeps_value<T, Target>());
        static_assert(fits, "skelrt: a variable of sk::tie does not hold every result of its reduction");
        if constexpr (std::is_same_v<Target, scalar<T>>) to = value;
        else if constexpr (fits) to = static_cast<Target>(value);
    }

    std::tuple<Targets&...> to_;
};

} // namespace detail

/// Several results of one call: sk::tie(a, b) = f(x), where f returns a struct with as many members, of the containers'
/// element types in order. One pass over the operands, and no container of structs in between.
///
/// Containers may be operands of the call as well (x and y of sk::tie(x, y) = swap(x, y)); they must be different ones.
/// Asynchronous. O(n). Errors: as sk::map; containers of another dimension than the call.
///
/// Several reductions of one pass go to sk::scalars and plain variables: see sk::together.
template <class... Containers>
[[nodiscard]] auto tie(Containers&... to)
{
    constexpr bool whole = (requires { to.clear(); } && ...);
    constexpr bool values = ((detail::is_scalar<Containers> || detail::element_type<Containers>)&&...);
    static_assert(whole || values,
                  "skelrt: sk::tie takes containers, not views, or it takes scalars and plain variables");
    if constexpr (whole) return detail::tied<Containers...>(to...);
    else if constexpr (values) return detail::tied_values<Containers...>(to...);
    else return detail::tied<>();
}

} // namespace skelrt
