// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/loops/zeros.hpp"
#include "map.hpp"

namespace skelrt
{

namespace detail
{

/// A user function that returns nothing, as a node of an expression tree.
template <class Lambda>
struct without_result {
    template <class... Args>
    unsigned char operator()(Args&&... args) const
    {
        Lambda{}(std::forward<Args>(args)...);
        return 0;
    }
};
template <class Lambda>
struct signature<without_result<Lambda>> : signature<Lambda> {
};

/// The same behind whose arguments comes what the one copy begins with, which no function sees.
template <class Lambda>
struct on_one_copy {
    template <class... Args, std::size_t... I>
    static void call(std::index_sequence<I...>, const std::tuple<Args...>& all)
    {
        Lambda{}(std::get<I>(all)...);
    }
    template <class... Args>
    unsigned char operator()(const Args&... args) const
    {
        call(std::make_index_sequence<sizeof...(Args) - 1>{}, std::tuple<const Args&...>(args...));
        return 0;
    }
};
template <class Lambda>
struct signature<on_one_copy<Lambda>> : signature<Lambda> {
};

template <class List>
struct accumulators_of;
template <class... L>
struct accumulators_of<type_list<L...>> {
    static constexpr std::size_t count = (std::size_t{L::kind == slot_kind::accumulator} + ... + 0);
    static constexpr bool is[] = {L::kind == slot_kind::accumulator..., false};
};

/// The accumulators among the leaves.
template <class List, class... Views>
struct accumulated;
template <class First, class... Others>
struct accumulated<type_list<>, First, Others...> {
    using first = First;
    using views = type_list<First, Others...>;
};
template <class First, class... Rest, class... Views>
struct accumulated<type_list<First, Rest...>, Views...> : accumulated<type_list<Rest...>, Views...> {
};
template <class T, class View, class... Rest, class... Views>
struct accumulated<type_list<accumulator_leaf<T, View>, Rest...>, Views...>
    : accumulated<type_list<Rest...>, Views..., View> {
};

/// Joins values of accumulators: number `which` of a call's.
template <class Views>
struct accumulating;
template <class... Views>
struct accumulating<type_list<Views...>> {
    static constexpr std::size_t sizes[] = {sizeof(typename Views::value_type)...};

    /// Copies begin as nothing; where there is one, it does not.
    static void clear(unsigned which, void* acc, std::size_t count)
    {
        unsigned i = 0;
        ((i++ == which ? clear_values<Views>(acc, count) : void()), ...);
    }
    static void join(unsigned which, void* acc, const void* other, std::size_t count)
    {
        unsigned i = 0;
        ((i++ == which ? join_values<Views>(acc, other, count) : void()), ...);
    }

private:
    template <class View>
    static void clear_values(void* acc, std::size_t count)
    {
        if constexpr (!has_one_copy(View::rule))
            std::fill_n(static_cast<typename View::value_type*>(acc), count, View::nothing());
    }
    template <class View>
    static void join_values(void* acc, const void* other, std::size_t count)
    {
        using T = typename View::value_type;
        T* const to = static_cast<T*>(acc);
        const T* const from = static_cast<const T*>(other);
        for (std::size_t i = 0; i < count; ++i) to[i] = View::joined(to[i], from[i]);
    }
};

/// What a tree accumulates into.
template <class N>
using accumulating_in = accumulating<typename accumulated<leaves_of<N>>::views>;

/// Whether an argument is one copy that functions change.
template <class Node>
inline constexpr bool changes_one_copy = false;
template <class T, class View>
inline constexpr bool changes_one_copy<accumulator_leaf<T, View>> = has_one_copy(View::rule);

/// The (first) accumulator among a call's arguments.
template <class Node, class... Rest>
const auto& accumulator_among(const Node& first, const Rest&... rest)
{
    if constexpr (accumulators_of<leaves_of<Node>>::count > 0) return first;
    else return accumulator_among(rest...);
}

/// Calls the function at every position of the block; it changes a copy at `acc`, where the accumulators follow each
/// other, and which begins as nothing unless `started`; or the containers themselves.
template <class N, class Accumulating>
void accumulate_block(const cpu_block& b, void* acc, bool started)
{
    slot_view slots[leaf_count<N>::value];
    unsigned which = 0;
    std::size_t at = 0;
    for (std::size_t k = 0; k < leaf_count<N>::value; ++k) {
        slots[k] = b.slots[k];
        if (!accumulators_of<leaves_of<N>>::is[k]) continue;
        if (acc) slots[k].data = static_cast<std::byte*>(acc) + at;
        if (!started) Accumulating::clear(which, slots[k].data, slots[k].cols);
        at = end_of_part(at, slots[k].cols * Accumulating::sizes[which++]);
    }
    for (std::size_t r = 0; r < b.where.rows; ++r) {
        const reader<N, false> read(slots, r);
        for (std::size_t c = 0; c < b.where.cols; ++c)
            evaluate<N, 0>(read, position{b.where.row0 + r, b.where.col0, b.width, c});
    }
}

/// Measures the function on memory of its own.
template <class N, class Accumulating, class View>
void probe_accumulate(const cpu_block& b)
{
    using T = typename View::value_type;
    std::size_t n = 0, bytes = 0;
    unsigned which = 0;
    for (std::size_t k = 0; k < leaf_count<N>::value; ++k) {
        if (!accumulators_of<leaves_of<N>>::is[k]) continue;
        n = b.slots[k].cols;
        bytes = end_of_part(bytes, n * Accumulating::sizes[which++]);
    }
    if (View::rule == accumulate_rule::write) bytes += writer_bytes(n);
    const zeros<T> own(bytes / sizeof(T) + 1);
    if (!own) return;
    if constexpr (View::rule == accumulate_rule::atomic) // indices may come from the elements
        std::copy_n(static_cast<const T*>(b.slots[leaf_count<N>::value - 1].data), n, own.get());
    accumulate_block<N, Accumulating>(b, own.get(), true);
}

/// An operand of a call that is no map: elements as they are, a map call, or what is stored first, as stencils are.
template <class Argument>
auto fused_or_stored(const Argument& a)
{
    constexpr bool works = container<Argument> || expression<Argument>;
    static_assert(works, "skelrt: the argument is a container, a view or a call");
    if constexpr (!works || is_refused<Argument>) {
        return refused_call{};
    } else if constexpr (expression<Argument>) {
        if constexpr (has_hoods<Argument>) return later_leaf<Argument>{later<Argument>(a)};
        else return make_node<deduced>(a);
    } else {
        return make_node<deduced>(a);
    }
}

/// The same where values and whole containers are arguments as well.
template <class Parameter, class Argument>
auto fused_or_stored_argument(const Argument& a)
{
    if constexpr (expression<Argument> && !sees_whole<Parameter>) return fused_or_stored(a);
    else return make_node<Parameter>(a);
}

/// The recipe of a call that accumulates; the last function is the one that does. The caller sets what the CPU runs.
template <class N>
[[gnu::cold]] call_site& describe_accumulate(const N& n, const char* name = "")
{
    using all = accumulated<leaves_of<N>>;
    using T = typename all::first::value_type;
    call_site& s = new_call_site(skeleton::accumulate);
    recipe& r = s.what;
    r.name = name;
    r.root = describe(n, r);
    if (has_one_copy(all::first::rule)) r.calls.back().arguments.pop_back();
    r.calls.back().result = "void";
    r.calls.back().result_size = 0;
    set_result<std::conditional_t<all::views::size == 1, T, unsigned long>>(r);
    r.rule = all::first::rule;
    r.cpu.clear = &accumulating_in<N>::clear;
    r.cpu.join = &accumulating_in<N>::join;
    register_recipe(r);
    return s;
}

template <class N>
call_site& accumulate_site(const N& node)
{
    using into = accumulating_in<N>;
    using first = typename accumulated<leaves_of<N>>::first;
    static call_site& site = [](const N& n) -> call_site& {
        auto& s = describe_accumulate(n);
        s.what.cpu.fold = &accumulate_block<N, into>;
        s.what.cpu.probe = &probe_accumulate<N, into, first>;
        if (checks_bounds()) {
            s.what.cpu.fold = in_checked_call<&accumulate_block<with_checks<N>, into>>;
            s.what.cpu.probe = in_checked_call<&probe_accumulate<with_checks<N>, into, first>>;
        }
        return s;
    }(node);
    return site;
}

template <class N>
void run_accumulate_at(call_site& site, const N& e, const extent& x)
{
    operand operands[leaf_count<N>::value];
    operand* out = operands;
    collect_operands(e, out);
    call c;
    c.site = &site;
    c.set_space(x);
    c.operands = operands;
    c.use = plan_of(e);
    execute(c);
}

/// What the one copy begins with.
template <class T, class View>
vec_leaf<T> beginning_of(const accumulator_leaf<T, View>& leaf)
{
    return {leaf.data, {leaf.offset, 1, leaf.size, leaf.size, 1}};
}

template <class N>
void run_accumulate(const N& e)
{
    call_site& site = accumulate_site(e);
    extent x;
    std::size_t argument = 0;
    join_extent(e, x, argument, site.what);
    if (!x.known()) throw_no_shape(site.what);
    check_indices<N>(x, site.what);
    if constexpr (has_nested_calls<N>)
        if (!fuses()) return run_accumulate(unfused(e, x));
    run_accumulate_at(site, e, x);
}

} // namespace detail

/// Calls a function at every position for what it adds: its sk::accumulator<T> parameter takes a vector (or any
/// container, counted row by row) to which add(i, v) adds v at index i, whichever position asks for it.
///
///     sk::for_each(SKELRT_FN((float x, float w, sk::accumulator<float> h) { h.add(size_t(x), w); }))(x, w, histogram);
///
/// A function may have several accumulators, of different containers, and of different types, sizes and kinds:
/// sk::min_accumulator<T> has min(i, v), sk::max_accumulator<T> max(i, v), and, of whole numbers, sk::or_accumulator<T>
/// bit_or(i, v) and sk::and_accumulator<T> bit_and(i, v): element i becomes the least of itself and all that is put
/// there, and so on.
///
/// An sk::atomic_vec<T> has all of these, load, exchange and compare_exchange, and each gives what the element held
/// before: hash tables, queues, union-find. Of structs of 4 or 8 bytes it has the last three. One device does such a
/// call on one copy, all of its cores or a GPU, and in what order positions come is not specified. Over several ranks
/// it is an error.
///
/// To an sk::out_vec<T>, of elements of any type, set(i, v) writes: one copy likewise, and each element is set at most
/// once. That is cheaper; elements that nobody sets keep their values.
///
///     sk::for_each(SKELRT_FN((pixel p, int to, sk::out_vec<pixel> y) { y.set(to, p); }))(x, permutation, y);
///
/// Either of the two is the only parameter of its function that changes a container.
///
/// Other arguments are as for sk::map, nested map calls included. Accumulators are of int, long, float or double
/// (signed or not). Runs at once and asynchronously; what the container held stays in the sums. A GPU that does the
/// whole call changes the container atomically. Of several devices each GPU changes a copy of its own, CPU cores
/// private ones, and all copies are joined at the end in a fixed order: only floating-point sums depend on it, and
/// round by the order of additions within each copy. O(n) calls, and O(size of the accumulators) for each copy.
/// Errors: as sk::map; a container of an accumulator that is another operand of the call, too. Indices are not checked.
template <class Lambda>
class [[nodiscard]] for_each
{
public:
    explicit constexpr for_each(const function<Lambda>& f) : source_(f.source()) {}

    /// Calls made from now on obey the plan; an empty one makes them automatic again.
    for_each& use(const plan& p)
    {
        source_.use = detail::keep_plan(p);
        return *this;
    }

    template <class... Args>
    void operator()(Args&&... args) const
    {
        run(detail::extent{}, std::make_index_sequence<sizeof...(Args)>{}, args...);
    }
    /// With an explicit shape in front.
    template <class... Args>
    // cppcheck-suppress passedByValue ; a reference would match worse than Args&&
    void operator()(shape s, Args&&... args) const
    {
        run(s.extent(), std::make_index_sequence<sizeof...(Args)>{}, args...);
    }

private:
    template <class Parameter, class Argument>
    static constexpr bool may_write = !detail::is_accumulator<Parameter> || !std::is_const_v<Argument> || requires
    {
        typename std::remove_const_t<Argument>::skelrt_view;
    };

    template <std::size_t... I, class... Args>
    void run(const detail::extent& given, std::index_sequence<I...>, Args&... args) const
    {
        using signature = detail::signature<Lambda>;
        constexpr std::size_t indices = detail::index_of<Lambda>() == detail::index_use::none ? 0 : 1;
        constexpr bool as_many = signature::list::size == sizeof...(Args) + indices;
        constexpr bool writable = (may_write<detail::parameter<Lambda, I>, Args> && ...);
        static_assert(!signature::generic, "skelrt: the parameters of a function for sk::for_each need types");
        static_assert(signature::generic || as_many,
                      "skelrt: for_each is called with another number of arguments than its function has parameters");
        static_assert(writable, "skelrt: an sk::accumulator parameter takes a container that is not const");
        if constexpr (!signature::generic && as_many && writable)
            run_nodes(given, detail::fused_or_stored_argument<detail::parameter<Lambda, I>>(args)...);
    }

    template <class... Nodes>
    void run_nodes(const detail::extent& given, Nodes... nodes) const
    {
        if constexpr (!(detail::is_refused<Nodes> || ...)) {
            constexpr std::size_t count =
                (std::size_t{detail::accumulators_of<detail::leaves_of<Nodes>>::count} + ... + 0);
            constexpr bool alone = count == 1 || !(detail::changes_one_copy<Nodes> || ...);
            constexpr bool some = count > 0 && alone;
            constexpr bool possible = detail::application<Lambda, Nodes...>::possible;
            static_assert(count > 0, "skelrt: a function of sk::for_each has an sk::accumulator parameter, or one "
                                     "sk::out_vec or sk::atomic_vec; assign an sk::map call for a result");
            static_assert(alone,
                          "skelrt: an sk::out_vec or an sk::atomic_vec is the only parameter of its function that "
                          "changes a container; make a call for each, or use accumulators");
            static_assert(!some || possible,
                          "skelrt: the user function cannot be called with the elements and values that it gets here; "
                          "its parameters have their types");
            if constexpr (some && possible) {
                constexpr bool silent = std::is_void_v<typename detail::application<Lambda, Nodes...>::result::type>;
                static_assert(silent, "skelrt: a function of sk::for_each returns nothing; assign an sk::map call to a "
                                      "container instead");
                if constexpr (silent) run_on(given, detail::accumulator_among(nodes...), nodes...);
            }
        }
    }

    template <class Leaf, class... Nodes>
    void run_on(const detail::extent& given, const Leaf& leaf, const Nodes&... nodes) const
    {
        using T = typename Leaf::value::value_type;
        if constexpr (detail::has_one_copy(Leaf::value::rule))
            detail::run_accumulate(detail::map_expression<detail::on_one_copy<Lambda>, Nodes..., detail::vec_leaf<T>>(
                source_, given, nodes..., detail::beginning_of(leaf)));
        else
            detail::run_accumulate(
                detail::map_expression<detail::without_result<Lambda>, Nodes...>(source_, given, nodes...));
    }

    detail::function_source source_;
};

template <>
class [[nodiscard]] for_each<detail::refused> : public detail::refused_skeleton<>
{
public:
    template <class... Args>
    constexpr explicit for_each(const Args&... args) : detail::refused_skeleton<>(args...)
    {
    }
    template <class... Args>
    void operator()(const Args&...) const;
};

template <class Lambda>
for_each(const function<Lambda>&) -> for_each<detail::checked<Lambda>>;
template <class F>
for_each(const F&) -> for_each<detail::refused>;

} // namespace skelrt
