// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/loops/one_pass.hpp"
#include "reduce.hpp"
#include "scalar.hpp"
#include "tie.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace skelrt
{

namespace detail
{

/// Which of several reductions have a start value.
struct started {
    unsigned which = 0; ///< a bit for each
    bool all = true;
};

/// A function of ours with this text, made where the first of the reductions was.
inline function_source one_pass_source(const char* text, const function_source& first)
{
    return {text, "sk::together", 1, first.use, nullptr, nullptr, first.at};
}

/// Several reductions that wait to be assigned: `Whole` is the reduction of structs that they are together. Start
/// values are the struct's where all have one; else they are put in front of what comes out.
template <class Whole, class Types, class... Op>
class together_expression;
template <class Whole, class... T, class... Op>
class [[nodiscard(
    "skelrt: a call is computed when it is assigned to an sk::tie")]] together_expression<Whole, type_list<T...>, Op...>
{
    using values = values_of<T...>;
    using put = put_starts<type_list<T...>, Op...>;

public:
    using skelrt_together = void;
    static constexpr std::size_t count = sizeof...(T);
    static constexpr bool gives_values = requires(const Whole& w) { w.get(); };

    together_expression(Whole whole, const values& start, const started& from, const function_source& put_source)
        : whole_(std::move(whole)), start_(start), started_(from), put_(put_source)
    {
    }

    /// Evaluates, and waits for these values only.
    std::tuple<T...> get() const requires gives_values
    {
        values all = whole_.get();
        if (starts_late()) all = put{}(start_, started_.which, all);
        return picked(all, std::index_sequence_for<T...>{});
    }

    /// Evaluates into scalars; asynchronous.
    template <class... To>
    void into(const std::tuple<scalar<To>&...>& to) const requires gives_values
    {
        storage_ref made;
        whole_.into(made);
        if (starts_late()) {
            storage_ref begun;
            evaluate_scalar(with_starts(scalar_leaf<values>{made}), begun);
            made = std::move(begun);
        }
        pick_each(scalar_leaf<values>{made}, to, std::index_sequence_for<T...>{});
    }

    /// Evaluates into vectors; asynchronous.
    template <class Tied>
    void into_vectors(const Tied& to) const requires(!gives_values)
    {
        vector<values> made;
        whole_.into_container(made);
        if (starts_late())
            assign_map_to_container(made, with_starts(element_leaf<values>{made.storage(), made.place(), 1}));
        to = copy_of(made);
    }

private:
    bool starts_late() const { return started_.which != 0 && !started_.all; }

    template <std::size_t... I>
    static std::tuple<T...> picked(const values& all, std::index_sequence<I...>)
    {
        return {value_in<I>(all)...};
    }

    template <class Leaf>
    auto with_starts(Leaf all) const
    {
        return map_expression<put, uniform_leaf<values>, uniform_leaf<unsigned>, Leaf>(
            put_, extent{}, {start_}, {started_.which}, std::move(all));
    }

    template <class To, std::size_t... I>
    void pick_each(const scalar_leaf<values>& all, const To& to, std::index_sequence<I...>) const
    {
        (pick<I>(all, std::get<I>(to)), ...);
    }

    template <std::size_t I, class To>
    void pick(const scalar_leaf<values>& all, scalar<To>& to) const
    {
        static const char* const text = text_that_picks(type_text<values>(), I);
        to = map_expression<pick_value<I>, scalar_leaf<values>>(one_pass_source(text, whole_.operation()), extent{},
                                                                all);
    }

    Whole whole_;
    values start_;
    started started_;
    function_source put_;
};

/// The argument of a reduction as one of a call.
template <class N>
const N& as_argument(const N& node)
{
    return node;
}
template <class L>
const L& as_argument(const leaf_expression<L>& node)
{
    return node.held();
}

/// The plan of the first reduction that has one.
template <class... E>
const plan* first_plan(const E&... all)
{
    const plan* use = nullptr;
    ((use = use ? use : all.operation().use), ...);
    return use;
}

template <class S, class... E, std::size_t... I>
S starts_of(started& which, std::index_sequence<I...>, const E&... all)
{
    S start{};
    const auto take = [&](auto& member, const auto& from, unsigned bit) {
        which.all = which.all && from.has_value();
        if (!from) return;
        member = *from;
        which.which |= 1U << bit;
    };
    (take(value_in<I>(start), all.in_front(), I), ...);
    return start;
}

/// The reduction of structs that several are, whose elements a call makes.
template <skeleton Kind, class... Op, class... T, class... N, class Node>
auto in_one_pass(Node node, const reduce_expression<Kind, Op, T, N>&... all)
{
    using values = values_of<T...>;
    using each = combine_each<type_list<T...>, Op...>;
    static const char* const combining =
        text_that_combines(type_text<values>(), {combined_member{keep_source(all.operation()), type_text<T>()}...});
    static const char* const starting =
        text_that_starts(type_text<values>(), {combined_member{keep_source(all.operation()), type_text<T>()}...});
    function_source first = std::get<0>(std::tie(all...)).operation();
    first.use = first_plan(all...);
    started which;
    const values start = starts_of<values>(which, std::index_sequence_for<T...>{}, all...);
    using whole = reduce_expression<Kind, each, values, Node>;
    return together_expression<whole, type_list<T...>, Op...>(
        whole(one_pass_source(combining, first), which.all ? std::optional<values>(start) : std::nullopt,
              std::move(node)),
        start, which, one_pass_source(starting, first));
}

/// Reductions of calls: each element of the pass has what each of them reduces.
template <skeleton Kind, class... Op, class... T, class... N>
auto calls_in_one_pass(const reduce_expression<Kind, Op, T, N>&... all)
{
    using values = values_of<T...>;
    static const char* const text =
        text_that_collects(type_text<values>(), {type_text<typename N::value>()...}, {type_text<T>()...});
    const auto make = [&](const auto&... nodes) {
        return map_expression<collect_values<T...>, std::remove_cvref_t<decltype(nodes)>...>(
            one_pass_source(text, std::get<0>(std::tie(all...)).operation()), extent{}, nodes...);
    };
    return in_one_pass(make(as_argument(all.reduced_node())...), all...);
}

/// Reductions of the same argument, which is computed once.
template <skeleton Kind, class... Op, class... T, class N>
auto same_in_one_pass(const reduce_expression<Kind, Op, T, N>&... all)
{
    using values = values_of<T...>;
    static const char* const text =
        text_that_collects(type_text<values>(), {type_text<typename N::value>()}, {type_text<T>()...});
    const auto& first = std::get<0>(std::tie(all...));
    const auto& argument = as_argument(first.reduced_node());
    return in_one_pass(map_expression<spread_value<T...>, std::remove_cvref_t<decltype(argument)>>(
                           one_pass_source(text, first.operation()), extent{}, argument),
                       all...);
}

template <class E>
inline constexpr bool is_reduction = is_refused<E>;
template <skeleton Kind, class Op, class T, class N>
inline constexpr bool is_reduction<reduce_expression<Kind, Op, T, N>> = true;

/// Whether calls are reductions that go the same way.
template <class... E>
inline constexpr bool go_alike = true;
template <skeleton... Kind, class... Op, class... T, class... N>
inline constexpr bool go_alike<reduce_expression<Kind, Op, T, N>...> = ((Kind == std::get<0>(std::tuple{Kind...})) &&
                                                                        ...);

template <class R>
inline constexpr bool is_reduce = false;
template <class Op, class Start>
inline constexpr bool is_reduce<reduce<Op, Start>> = true;

/// What sk::together makes of reductions without their argument.
template <class... R>
class [[nodiscard]] reductions_together
{
public:
    explicit constexpr reductions_together(const R&... all) : all_(all...) {}

    template <class Argument>
    auto operator()(const Argument& a) const
    {
        return std::apply([&](const R&... r) { return made(r(a)...); }, all_);
    }
    template <class Argument>
    auto by_row(const Argument& a) const
    {
        return std::apply([&](const R&... r) { return made(r.by_row(a)...); }, all_);
    }
    template <class Argument>
    auto by_column(const Argument& a) const
    {
        return std::apply([&](const R&... r) { return made(r.by_column(a)...); }, all_);
    }

private:
    template <class... E>
    static auto made(const E&... calls)
    {
        if constexpr ((is_refused<E> || ...)) return refused_call{};
        else return same_in_one_pass(calls...);
    }

    std::tuple<R...> all_;
};

} // namespace detail

/// Several reductions, two to six, in one pass over the data; sk::tie takes their results.
///
///     sk::tie(least, most, total) = sk::together(smallest, largest, sum)(x); // of the same elements
///     sk::tie(dot, norm) = sk::together(sum(x * y), sum(x * x));             // of calls, of one shape
///
/// The first form takes objects of sk::reduce, and computes their argument once for all; by_row and by_column are as
/// theirs. The second takes what these make of their arguments, and what sk::minmax, sk::argmin or
/// sk::mean_and_variance give; all go to one value, or all by row, or all by column. Results, element types and start
/// values are those of each reduction alone. As Kokkos's parallel_reduce with several reducers.
///
/// The targets are sk::scalars, filled without a wait; or plain variables, which wait for the results; by row and by
/// column they are vectors. get() waits, and gives an std::tuple: auto [dot, norm] = sk::together(...).get().
/// It is one reduction of structs, with an operator for each member, and so it runs wherever one reduction does, over
/// several ranks, too. O(n). Plans are those of the first reduction that has one. Scalars and vectors are filled by a
/// short map each. Errors (sk::error): as sk::reduce; of nothing, unless all have a start value; calls of different
/// shapes.
template <class... R>
auto together(const R&... all)
{
    constexpr bool as_many = sizeof...(R) >= 2 && sizeof...(R) <= 6;
    constexpr bool objects = (detail::is_reduce<R> && ...), calls = (detail::is_reduction<R> && ...);
    constexpr bool alike = detail::go_alike<R...>;
    static_assert(as_many, "skelrt: sk::together takes two to six reductions");
    static_assert(objects || calls, "skelrt: sk::together takes reductions: objects of sk::reduce, or calls of such");
    static_assert(alike, "skelrt: reductions of one pass all go to one value, or all by row, or all by column");
    if constexpr (as_many && objects) return detail::reductions_together<R...>(all...);
    else if constexpr (as_many && calls && alike && !(detail::is_refused<R> || ...))
        return detail::calls_in_one_pass(all...);
    else return detail::refused_call{};
}

} // namespace skelrt
