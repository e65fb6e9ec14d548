// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "for_each.hpp"

namespace skelrt
{

namespace detail
{

/// An element, and whether the predicate keeps it.
template <class T>
struct selected {
    T value;
    bool keep;
};

/// A predicate as a node of an expression tree: gives its first operand back, too, which is evaluated once.
template <class Predicate>
struct with_element {
    template <class First, class... Rest>
    auto operator()(const First& first, const Rest&... rest) const
    {
        if constexpr (index_of<Predicate>() == index_use::none)
            return selected<First>{first, static_cast<bool>(Predicate{}(first, rest...))};
        else return of_second(first, rest...);
    }

private:
    template <class Index, class First, class... Rest>
    static auto of_second(const Index& i, const First& first, const Rest&... rest)
    {
        return selected<First>{first, static_cast<bool>(Predicate{}(i, first, rest...))};
    }
};
template <class Predicate>
struct signature<with_element<Predicate>> : signature<Predicate> {
};

/// The same in two steps, for the CPU's loops: compilers do not take the struct apart, and would not vectorise.
template <class N>
struct selection;
template <class Predicate, class First, class... Rest>
struct selection<map_expression<with_element<Predicate>, First, Rest...>> {
    using first = First;
    using value = typename First::value;

    template <class Reader>
    static bool keeps(const value& first, const Reader& read, const position& at)
    {
        return call(first, read, at, std::index_sequence_for<Rest...>{});
    }

private:
    /// Leaves in front of those of the K-th of the rest.
    template <std::size_t K>
    static constexpr std::size_t leaves_before()
    {
        constexpr std::array<std::size_t, sizeof...(Rest) + 1> counts{leaf_count<Rest>::value..., 0};
        std::size_t n = leaf_count<First>::value;
        for (std::size_t i = 0; i < K; ++i) n += counts[i];
        return n;
    }

    template <class Reader, std::size_t... K>
    static bool call(const value& first, const Reader& read, const position& at, std::index_sequence<K...>)
    {
        constexpr index_use index = index_of<Predicate>();
        static_cast<void>(read);
        if constexpr (index == index_use::none)
            return static_cast<bool>(Predicate{}(first, evaluate<Rest, leaves_before<K>()>(read, at)...));
        else
            return static_cast<bool>(
                Predicate{}(index_at<index>(at), first, evaluate<Rest, leaves_before<K>()>(read, at)...));
    }
};

template <class N>
struct selection<with_checks<N>> {
    using first = with_checks<typename selection<N>::first>;
    using value = typename first::value;

    template <class Reader>
    [[gnu::noinline]] static bool keeps(const value& v, const Reader& read, const position& at)
    {
        enter_position(at.row, at.col0 + at.c, at.width);
        const bool kept = selection<N>::keeps(v, read, at);
        leave_position();
        return kept;
    }
};

/// Whether none of `count` flags is set.
inline bool keeps_none(const unsigned char* keep, std::size_t count)
{
    unsigned char any = 0;
#pragma omp simd reduction(| : any)
    for (std::size_t i = 0; i < count; ++i) any = static_cast<unsigned char>(any | keep[i]);
    return any == 0;
}

/// Writes the kept elements of the block; returns how many. Some at a time are evaluated by the vectoriser, and then
/// copied without a branch that nobody could guess: what is not kept is overwritten by the next. Where none is kept,
/// none is copied.
template <class N, bool Linear>
std::size_t filter_rows(const cpu_block& b, const segment& s, decltype(N::value::value)* to)
{
    using T = typename selection<N>::value;
    constexpr std::size_t some = sizeof(T) <= 32 ? 512 : 16;
    alignas(64) alignas(T) std::byte room[some * sizeof(T)]; // T may have no default constructor
    T* const value = reinterpret_cast<T*>(room);
    unsigned char keep[some];
    std::exception_ptr what;
    std::size_t kept = 0;
    for (std::size_t r = 0; r < s.rows; ++r) {
        const reader<N, Linear> read(b.slots, r);
        const index_widths width = b.width;
        const std::size_t row = s.row0 + r, col0 = s.col0, n = s.cols;
        for (std::size_t c = 0; c < n; c += some) {
            const std::size_t here = n - c < some ? n - c : some;
#pragma omp simd
            for (std::size_t i = 0; i < here; ++i)
                guarded(what, [&] {
                    const position at{row, col0, width, c + i};
                    const T first = evaluate<typename selection<N>::first, 0>(read, at);
                    value[i] = first;
                    keep[i] = selection<N>::keeps(first, read, at) ? 1 : 0;
                });
            rethrow(what);
            if (keeps_none(keep, here)) continue;
            for (std::size_t i = 0; i < here; ++i) {
                to[kept] = value[i];
                kept += keep[i];
            }
        }
    }
    return kept;
}

template <class N>
std::size_t filter_block(const cpu_block& b, void* results)
{
    auto* const to = static_cast<decltype(N::value::value)*>(results);
    const segment s = joined<N>(b, false);
    return is_linear<N>(b.slots, false) ? filter_rows<N, true>(b, s, to) : filter_rows<N, false>(b, s, to);
}

/// A filter that waits to be assigned.
template <class N>
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
        if constexpr (Container::rank == 1 && same) replace(to, run());
    }

private:
    template <class>
    friend class filter_expression;

    static call_site& describe_once(const N& node)
    {
        auto& s = *new call_site; // lives as long as the process
        recipe& r = s.what;
        r.kind = skeleton::filter;
        describe(node, r);
        function_call& predicate = r.calls.back();
        predicate.result = "bool";
        predicate.result_size = sizeof(bool);
        r.root = predicate.arguments[N::index == index_use::none ? 0 : 1];
        r.slots.push_back(slot_of<value>(slot_kind::element));
        r.result = type_text<value>();
        r.result_size = sizeof(value);
        r.result_align = alignof(value);
        r.cpu.filter = &filter_block<N>;
        r.cpu.probe = &probe_block<N>;
        if constexpr (makes_indices<N>)
            if (checks_bounds()) {
                r.cpu.filter = in_checked_call<&filter_block<with_checks<N>>>;
                r.cpu.probe = in_checked_call<&probe_block<with_checks<N>>>;
            }
        register_recipe(r);
        return s;
    }

    storage_ref run() const
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
                return filter_expression<decltype(made)>(std::move(made)).run();
            }
        storage_ref result(create_storage(x.rows, x.cols, sizeof(value), x.rank >= 2));
        operand operands[leaf_count<N>::value + 1];
        operand* out = operands;
        collect_operands(node_, out);
        *out = {result.get(), nullptr, 0, x.rows, x.cols, x.cols, 1};
        call c;
        c.site = &site;
        c.set_space(x);
        c.operands = operands;
        c.use = plan_of(node_);
        c.value = &result;
        execute(c);
        return result;
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
/// Arguments are as for sk::map; elements of the first are kept. It may be a map call, which fuses and is evaluated once for
/// each position. The result is a vector (of a matrix's elements row by row), and its size is the number of elements that
/// were kept: assigning a filter therefore waits for its operands and for its own counting. x = filter(x) is fine.
/// O(n): one pass over the operands on CPUs and CUDA, and the results are written once. A single device does it, the one
/// that the models say is quickest. Where its memory cannot take all in one task, the results of the tasks are copied
/// together afterwards. Needs memory for all elements while it runs; the result keeps that unless it is less than an
/// eighth.
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
