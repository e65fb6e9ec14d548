// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/expression.hpp"
#include "detail/loops/checked.hpp"
#include "detail/loops/lockstep.hpp"
#include "detail/loops/mapped_hoods.hpp"
#include "detail/map_call.hpp"
#include "detail/over_ranks.hpp"
#include "detail/unfused.hpp"
#include "detail/user_code.hpp"
#include "matrix.hpp"
#include "vector.hpp"
#include "with_neighbours.hpp"

namespace skelrt
{

namespace detail
{

/// Whether a function of a stencil whose border is none is a tree's outermost.
template <class N>
inline constexpr bool fuses_keeping = has_keeping<N> && !requires
{
    typename N::skelrt_keeps;
};

template <class N>
[[gnu::cold]] call_site& describe_map(const N& node, const stencil_shape& shape)
{
    call_site& s = new_call_site(has_hoods<N> ? skeleton::stencil : skeleton::map);
    recipe& r = s.what;
    r.stencil = shape;
    r.root = describe(node, r);
    add_slot(r, slot_of<typename N::value>(slot_kind::element));
    set_result<typename N::value>(r);
    r.cpu.map = &map_block<N>;
    if constexpr (has_hoods<N>) r.cpu.every_other = &every_other_block<N>;
    if constexpr (fuses_keeping<N>) r.cpu.edge = &edge_block<N>;
    if constexpr (has_known_counts<N>) r.cpu.pitch = &wanted_pitch<N>;
    if constexpr (may_have_steps<N>) r.cpu.lockstep = &lockstep_block<typename N::value>;
    r.cpu.probe = &probe_block<N>;
    if constexpr (makes_indices<N>)
        if (checks_bounds()) {
            r.cpu.map = in_checked_call<&map_block<with_checks<N>>>;
            r.cpu.pitch = nullptr;
            r.cpu.lockstep = nullptr;
            if constexpr (has_hoods<N>) r.cpu.every_other = in_checked_call<&every_other_block<with_checks<N>>>;
            if constexpr (fuses_keeping<N>) r.cpu.edge = in_checked_call<&edge_block<with_checks<N>>>;
            r.cpu.probe = in_checked_call<&probe_block<with_checks<N>>>;
        }
    register_recipe(r);
    return s;
}

/// The recipe of a map whose tree has the type N; described once per process. Stencils: once per shape.
template <class N>
call_site& plain_map_site(const N& node)
{
    if constexpr (has_hoods<N>) {
        static shaped_sites sites;
        stencil_shape shape;
        collect_shape(node, shape);
        call_site* known = sites.find(shape);
        return known ? *known : sites.add(shape, describe_map(node, shape));
    } else {
        static call_site& site = describe_map(node, {});
        return site;
    }
}

/// The same for whatever may be assigned to elements: scans, say, describe themselves.
template <class N>
call_site& map_site(const N& node)
{
    if constexpr (requires { node.site(); }) return node.site();
    else return plain_map_site(node);
}

template <class Container, class N>
void assign_map_to_container(Container& to, const N& e);

template <class View>
auto copy_of(const View& from);

/// New data takes the place of the old; into borrowed memory of the same shape it is copied.
template <class Container>
void replace(Container& to, storage_ref&& fresh)
{
    if (to.storage() && to.storage()->borrowed && same_shape(*to.storage(), *fresh)) {
        Container source;
        source.adopt(std::move(fresh));
        assign_map_to_container(to, copy_of(source));
    } else {
        to.adopt(std::move(fresh));
    }
}

/// New data for the result of a map whose operands are collected.
template <class T, class N>
storage_ref make_result(const recipe& what, const extent& x, const operand* operands)
{
    storage_ref made(create_result_beside(what, operands, leaf_count<N>::value, x.rows, x.cols, sizeof(T), x.rank > 1));
    made->inner = x.inner;
    return made;
}

template <class Container, class N>
void assign_map_to_container(Container& to, const N& e)
{
    if (add_product(to, e)) return;
    call_site& site = map_site(e);
    extent x;
    std::size_t argument = 0;
    join_extent(e, x, argument, site.what);
    const placement p = to.place();
    complete_shape(x, to.storage().get(), Container::rank, p, argument, site.what);
    if constexpr (has_mapped_hoods<N>)
        if (!maps_stay(e, site.what)) return assign_map_to_container(to, hoods_first(e));
    if constexpr (has_nested_calls<N>)
        if (!fuses(site.what)) return assign_map_to_container(to, unfused(e, x));
    storage_ref fresh = run_map_to(to.storage().get(), p, collected_map(site, e, x.cols), x, sizeof(typename N::value));
    if (fresh) replace(to, std::move(fresh));
}

/// Scalars that the host reads while this lives.
template <std::size_t N>
class scalars_on_host
{
public:
    explicit scalars_on_host(const operand (&operands)[N]) : operands_(operands)
    {
        for (; count_ < N; ++count_)
            if (storage* const s = operands_[count_].data) acquired_[count_] = acquire(*s, access::read);
    }
    scalars_on_host(const scalars_on_host&) = delete;
    ~scalars_on_host()
    {
        for (std::size_t k = 0; k < count_; ++k)
            if (storage* const s = operands_[k].data) release(*s, access::read, acquired_[k]);
    }

private:
    const operand (&operands_)[N];
    managed_state* acquired_[N];
    std::size_t count_ = 0;
};

template <class E>
typename E::value value_on_host(const E& e)
{
    const recipe& r = plain_map_site(e).what;
    const extent one{1, 1, 1};
    extent x;
    std::size_t argument = 0;
    join_extent(e, x, argument, r);
    if (x.rank != 0 && x != one) throw_shape_mismatch(r, argument, one, x);
    operand operands[leaf_count<E>::value];
    operand* out = operands;
    collect_operands(e, out);
    const scalars_on_host<leaf_count<E>::value> here(operands);
    slot_view slots[leaf_count<E>::value];
    for (std::size_t k = 0; k < leaf_count<E>::value; ++k) {
        const operand& o = operands[k];
        slots[k] = {o.data ? o.data->data : const_cast<void*>(o.value), 0, 1, 1, 1, 1};
    }
    const auto evaluated = [&]() -> typename E::value {
        const in_user_code mark;
        return evaluate<E, 0>(reader<E, false>(slots, 0), position{0, 0, 1, 0});
    };
    typename E::value value = evaluated();
    make_equal(&value, sizeof(value));
    return value;
}

/// A map of scalars and values to a scalar. Nested calls are one whatever sk::fusion says: there is one value.
template <class E>
void evaluate_scalar(const E& e, storage_ref& to)
{
    static_assert(all_scalars<leaves_of<E>>,
                  "skelrt: an sk::scalar takes a map of scalars and plain values; reduce containers first");
    call_site& site = plain_map_site(e);
    const extent one{1, 1, 1};
    extent x;
    std::size_t argument = 0;
    join_extent(e, x, argument, site.what);
    if (x.rank != 0 && x != one) throw_shape_mismatch(site.what, argument, one, x);
    const collected_map m(site, e, 1);
    storage_ref result = to;
    renew_scalar(result, site.what, m.operands, m.inputs, true);
    run_map(m, 1, result.get(), {0, 1, 1, 1, 1});
    to = std::move(result);
}

template <class E>
extent later<E>::shape() const
{
    if constexpr (makes_container<E>) {
        const typename E::template result_container<typename E::value> made(what_);
        made_ = storage_ref(made.storage());
        return extent_of(made.rank, made.place());
    } else {
        return shape_of_elements();
    }
}

template <class E>
extent later<E>::shape_of_elements() const
{
    extent x;
    std::size_t argument = 0;
    const recipe& r = map_site(what_).what;
    join_extent(what_, x, argument, r);
    if (!x.known()) throw_no_shape(r);
    return x;
}

/// Evaluates a call over all of x into new data.
template <class E>
storage_ref evaluate_to_new(const E& e, const extent& x)
{
    call_site& site = map_site(e);
    if constexpr (has_mapped_hoods<E>)
        if (!maps_stay(e, site.what)) return evaluate_to_new(hoods_first(e), x);
    if constexpr (has_nested_calls<E>)
        if (!fuses()) return evaluate_to_temporary(e, x);
    return run_map_to_new(collected_map(site, e, x.cols), x, sizeof(typename E::value));
}

template <class E>
storage* later<E>::get() const
{
    if constexpr (!makes_container<E>) made_ = evaluate_to_new(what_, shape());
    return made_.get();
}

inline auto identity = [](const auto& x) { return x; };

/// A map that copies one view: SKELRT_FN cannot be used in a template twice with the same type, so it is made by hand.
template <class View>
auto copy_of(const View& from)
{
    using T = typename View::value_type;
    using copy = decltype(identity);
    const function_source source{"(auto x) { return x; }", "assignment", 1};
    return map_expression<copy, element_leaf<T>>(source, extent{},
                                                 element_leaf<T>{from.storage(), from.place(), View::rank});
}

template <class T>
storage_ref packed_copy(const data_ref& data, const placement& part, int rank)
{
    const extent x = extent_of(rank, part);
    if (rank == 1) return evaluate_to_new(copy_of(view1<T>(data, part.offset, part.cols, part.stride)), x);
    return evaluate_to_new(copy_of(view2<T>(data, part, {part.rows, part.cols})), x);
}

template <class T, int Rank>
storage_ref part_source<T, Rank>::copy_of_grid() const
{
    const placement& p = part_.place();
    const grid_part& at = part_.grid();
    const std::size_t first = p.offset - at.row * p.ld - at.col * p.stride;
    return packed_copy<T>(part_.storage(), {first, at.rows, at.cols, p.ld, p.stride}, Rank);
}

template <class View, class E>
void assign_to_view(const View& to, const E& from);

template <class View, class E>
void assign_map_to_view(const View& to, const E& from)
{
    using T = typename View::value_type;
    if (add_product(to, from)) return;
    call_site& site = map_site(from);
    const placement& p = to.place();
    extent x = extent_of(View::rank, p);
    std::size_t argument = 0;
    join_extent(from, x, argument, site.what);
    if constexpr (has_mapped_hoods<E>)
        if (!maps_stay(from, site.what)) return assign_to_view(to, hoods_first(from));
    if constexpr (has_nested_calls<E>)
        if (!fuses(site.what)) return assign_to_view(to, unfused(from, x));
    const collected_map m(site, from, p.cols);
    const operand result{to.storage().get(), nullptr, p.offset, p.rows, p.cols, p.ld, p.stride};
    if (may_write_in_place(site.what, m.operands, result)) {
        run_map(m, View::rank, to.storage().get(), p);
    } else if constexpr (View::rank == 1) {
        vector<T> temporary(p.cols, uninitialized);
        run_map(m, 1, temporary.storage().get(), temporary.place());
        assign_to_view(to, copy_of(temporary));
    } else {
        matrix<T> temporary(p.rows, p.cols, uninitialized);
        run_map(m, 2, temporary.storage().get(), temporary.place());
        assign_to_view(to, copy_of(temporary));
    }
}

template <class View, class E>
void assign_to_view(const View& to, const E& from)
{
    if constexpr (is_refused<E>) {
        return;
    } else if constexpr (container<E>) {
        assign_to_view(to, copy_of(from));
    } else if constexpr (requires { typename E::skelrt_reduction; }) {
        typename E::template result_container<typename View::value_type> temporary(from);
        assign_to_view(to, copy_of(temporary));
    } else {
        constexpr bool same = std::is_same_v<typename View::value_type, typename E::value>;
        static_assert(
            same, "skelrt: the view's element type is not the user function's result type; sk::cast<T>(call) converts");
        if constexpr (same) assign_map_to_view(to, from);
    }
}

template <class Container, class E>
void assign_to_container(Container& to, const E& e)
{
    if constexpr (is_refused<E>) {
        return;
    } else if constexpr (requires { typename E::skelrt_reduction; }) {
        e.into_container(to);
    } else {
        constexpr bool same = std::is_same_v<typename Container::value_type, typename E::value>;
        static_assert(
            same,
            "skelrt: the container's element type is not the user function's result type; sk::cast<T>(call) converts");
        if constexpr (same) assign_map_to_container(to, e);
    }
}

} // namespace detail

/// Applies a user function at every position of its operands; any number of them. zip is a map of two.
///
/// Arguments: containers and views of one shape (the function gets the element), calls of other maps (they fuse into
/// one kernel), any other call (evaluated before this one, each time), sk::scalar and plain values (the same value
/// everywhere), containers for sk::vec and sk::mat parameters (the function sees all of it), and at most one sk::shape
/// where no container gives the shape. A function whose first
/// parameter is sk::index1, index2, index3 or index4 gets the position (index1 in any call: counted row by row). The
/// call is lazy: assigning it to a container or a view evaluates it, asynchronously; operands are read then, and the
/// call keeps them alive. So `auto y = f(x)` is no container but a call that may be evaluated later, and then sees what
/// was assigned to x meanwhile; sk::eval(f(x)) evaluates at once. O(n) calls of the function; in place where the
/// destination is an operand.
/// Errors: shapes that differ (sk::error); a function that a device's compiler refuses (sk::function_error).
template <class Lambda>
class [[nodiscard]] map
{
public:
    explicit constexpr map(const function<Lambda>& f, detail::caller where = detail::caller::here())
        : source_(detail::made_at(f.source(), where))
    {
    }

    /// Calls made from now on obey the plan; an empty one makes them automatic again.
    map& use(const plan& p)
    {
        source_.use = detail::keep_plan(p);
        return *this;
    }

    template <class... Args>
    auto operator()(const Args&... args) const
    {
        return build(detail::extent{}, std::make_index_sequence<sizeof...(Args)>{}, args...);
    }

    /// With an explicit shape in front.
    template <class... Args>
    auto operator()(const shape& s, const Args&... args) const
    {
        return build(s.extent(), std::make_index_sequence<sizeof...(Args)>{}, args...);
    }

private:
    template <std::size_t... I, class... Args>
    auto build(const detail::extent& given, std::index_sequence<I...>, const Args&... args) const
    {
        using signature = detail::signature<Lambda>;
        constexpr std::size_t indices = detail::index_of<Lambda>() == detail::index_use::none ? 0 : 1;
        constexpr bool as_many = signature::generic || signature::list::size == sizeof...(Args) + indices;
        constexpr bool adds = (detail::is_accumulator<detail::parameter<Lambda, I>> || ...);
        static_assert(as_many,
                      "skelrt: map is called with another number of arguments than its function has parameters "
                      "(a leading sk::index1 to index4 is not an argument)");
        static_assert(!adds, "skelrt: a function with an sk::accumulator parameter belongs to sk::for_each");
        if constexpr (as_many && !adds) {
            constexpr bool store =
                (detail::has_sides<decltype(detail::make_node<detail::parameter<Lambda, I>>(args))> || ...);
            return detail::checked_expression<detail::map_expression, Lambda>(
                source_, given,
                detail::make_argument<detail::parameter<Lambda, I>, store, detail::stencils_in<Args...>>(args)...);
        } else {
            return detail::refused_call{};
        }
    }

    detail::function_source source_;
};

template <>
class [[nodiscard]] map<detail::refused> : public detail::refused_skeleton<>
{
public:
    template <class... Args>
    constexpr explicit map(const Args&... args) : detail::refused_skeleton<>(args...)
    {
    }
};

template <class Lambda>
map(const function<Lambda>&) -> map<detail::checked<Lambda>>;
template <class F>
map(const F&) -> map<detail::refused>;

} // namespace skelrt
