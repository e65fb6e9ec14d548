// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/loops/filter.hpp"

namespace skelrt
{

namespace detail
{

/// A filter that waits to be assigned.
template <class N, left_out Others = left_out::dropped>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] filter_expression
    : public operators::enabled
{
public:
    using skelrt_expression = void;
    using skelrt_reduction = void; // its result's shape is not its operands'
    using value = decltype(N::value::value);
    template <class U>
    using result_container = vector<U>;

    explicit filter_expression(N node) : node_(std::move(node)) {}

    /// Evaluates into a vector; waits for the number of elements.
    template <class Container>
    void into_container(Container & to) const
    {
        constexpr bool same = std::is_same_v<typename Container::value_type, value>;
        static_assert(Container::rank == 1, "skelrt: a filter gives a vector");
        static_assert(same || Container::rank != 1,
                      "skelrt: the vector's element type is not that of the filter's first operand");
        if constexpr (Container::rank == 1 && same) replace(to, run().elements);
    }

    /// The elements that are left out come behind those that are kept.
    auto with_others() const { return filter_expression<N, left_out::behind>(node_); }

    /// Evaluates; waits for the number of elements.
    filtered run() const
    {
        static call_site& site = describe_once(node_);
        extent x;
        std::size_t argument = 0;
        join_extent(node_, x, argument, site.what);
        if (!x.known()) throw_no_shape(site.what);
        check_indices<N>(x, site.what);
        if constexpr (has_nested_calls<N>)
            if (!fuses()) {
                auto made = unfused(node_, x);
                return filter_expression<decltype(made), Others>(std::move(made)).run();
            }
        filtered result{storage_ref(create_result(x.rows, x.cols, sizeof(value), x.rank >= 2))};
        operand operands[leaf_count<N>::value + 1];
        operand* out = operands;
        collect_operands(node_, out);
        *out = {result.elements.get(), nullptr, 0, x.rows, x.cols, x.cols, 1};
        call c;
        c.site = &site;
        c.set_space(x);
        c.operands = operands;
        c.use = plan_of(node_);
        c.value = &result;
        execute(c);
        return result;
    }

private:
    [[gnu::cold]] static call_site& describe_once(const N& node)
    {
        call_site& s = new_call_site(skeleton::filter);
        recipe& r = s.what;
        describe(node, r);
        function_call& predicate = r.calls.back();
        predicate.result = "bool";
        predicate.result_size = sizeof(bool);
        r.root = predicate.arguments[N::index == index_use::none ? 0 : 1];
        add_slot(r, slot_of<value>(slot_kind::element));
        set_result<value>(r);
        r.keeps_others = Others == left_out::behind;
        describe_filter<N, Others>(r.cpu);
        register_recipe(r);
        return s;
    }

    N node_;
};

template <class N>
inline constexpr bool is_element_node = is_call<N>;
template <leaf N>
inline constexpr bool is_element_node<N> = N::kind == slot_kind::element;

} // namespace detail

/// Keeps the elements for which a function is true, in their order.
///
///     auto positive = sk::filter(SKELRT_FN((float v) { return v > 0; }));
///     sk::vector<float> y = positive(x);
///     z = sk::filter(SKELRT_FN((float v, int flag, float low) { return flag && v > low; }))(x, flags, 0.5f);
///
/// Arguments are as for sk::map; elements of the first are kept. It may be a map call, which fuses and is evaluated
/// once for each position. The result is a vector (of a matrix's elements row by row), and its size is the number of
/// elements that were kept. So assigning a filter waits for its operands and its own counting. x = filter(x) is fine.
/// O(n): one pass over the operands on CPUs and CUDA, and the results are written once. A single device does it, the
/// one that the models say is quickest. Where its memory cannot take all in one task, the results of the tasks are
/// copied together afterwards. Needs memory for all elements while it runs; the result keeps that unless it is less
/// than an eighth.
/// Errors (sk::error): operands of different shapes.
template <class Predicate>
class [[nodiscard]] filter
{
public:
    explicit constexpr filter(const function<Predicate>& f, detail::caller where = detail::caller::here())
        : source_(detail::made_at(f.source(), where))
    {
    }

    /// Calls made from now on obey the plan; an empty one makes them automatic again.
    filter& use(const plan& p)
    {
        source_.use = detail::keep_plan(p);
        return *this;
    }

    template <class First, class... Rest>
    auto operator()(const First& first, const Rest&... rest) const
    {
        return build(std::make_index_sequence<1 + sizeof...(Rest)>{}, first, rest...);
    }

private:
    template <std::size_t... I, class... Args>
    auto build(std::index_sequence<I...>, const Args&... args) const
    {
        using signature = detail::signature<Predicate>;
        constexpr std::size_t indices = detail::index_of<Predicate>() == detail::index_use::none ? 0 : 1;
        constexpr bool as_many = signature::generic || signature::list::size == sizeof...(Args) + indices;
        constexpr bool adds = (detail::is_accumulator<detail::parameter<Predicate, I>> || ...);
        static_assert(as_many,
                      "skelrt: filter is called with another number of arguments than its function has parameters "
                      "(a leading sk::index1 to index4 is not an argument)");
        static_assert(!adds, "skelrt: a function with an sk::accumulator parameter belongs to sk::for_each");
        if constexpr (as_many && !adds)
            return of_nodes(detail::fused_or_stored_argument<detail::parameter<Predicate, I>>(args)...);
        else return detail::refused_call{};
    }

    template <class First, class... Rest>
    auto of_nodes(First first, Rest... rest) const
    {
        if constexpr (detail::is_refused<First> || (detail::is_refused<Rest> || ...)) {
            return detail::refused_call{};
        } else {
            constexpr bool has_elements = detail::is_element_node<First>;
            constexpr bool possible = detail::application<Predicate, First, Rest...>::possible;
            static_assert(
                has_elements,
                "skelrt: the first operand of a filter is a container, a view or a map call: its elements are kept");
            static_assert(!has_elements || possible,
                          "skelrt: the user function cannot be called with the elements and values that it gets here; "
                          "its parameters have their types, or are auto");
            if constexpr (has_elements && possible) {
                using node = detail::map_expression<detail::with_element<Predicate>, First, Rest...>;
                return detail::filter_expression<node>(
                    node(source_, detail::extent{}, std::move(first), std::move(rest)...));
            } else {
                return detail::refused_call{};
            }
        }
    }

    detail::function_source source_;
};

template <>
class [[nodiscard]] filter<detail::refused> : public detail::refused_skeleton<>
{
public:
    template <class... Args>
    constexpr explicit filter(const Args&... args) : detail::refused_skeleton<>(args...)
    {
    }
};

template <class Predicate>
filter(const function<Predicate>&) -> filter<detail::checked<Predicate>>;
template <class F>
filter(const F&) -> filter<detail::refused>;

} // namespace skelrt
