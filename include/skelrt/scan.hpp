// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/loops/scan.hpp"
#include "reduce.hpp"

namespace skelrt
{

namespace detail
{

/// A scan that waits to be assigned. `Kind`: through everything, along rows, or down columns.
template <skeleton Kind, bool Exclusive, class Op, class T, class N>
class [[nodiscard("skelrt: a call is computed when it is assigned to a container")]] scan_expression
    : public operators::enabled
{
public:
    using skelrt_expression = void;
    using skelrt_scan = void;
    static constexpr std::size_t leaves = leaf_count<N>::value;
    using leaf_types = leaves_of<N>;
    using value = typename running_value<T>::stored;

    scan_expression(const function_source& op, std::optional<T> start, N node)
        : op_(op), start_(std::move(start)), node_(std::move(node))
    {
    }

    const N& node() const noexcept { return node_; }
    /// The same scan of another operand.
    template <class M>
    auto of(M other) const
    {
        return scan_expression<Kind, Exclusive, Op, T, M>(op_, start_, std::move(other));
    }
    const void* start() const noexcept { return start_ ? &*start_ : nullptr; }
    const plan* use() const noexcept { return op_.use; }
    call_site& site() const
    {
        static call_site& s = describe_once(*this);
        return s;
    }

private:
    [[gnu::cold]] static call_site& describe_once(const scan_expression& e)
    {
        call_site& s = new_call_site(Kind);
        recipe& r = s.what;
        r.exclusive = Exclusive;
        r.root = describe(e.node_, r);
        add_slot(r, slot_of<value>(slot_kind::element));
        r.combine = keep_source(e.op_);
        if (r.calls.empty()) r.first_at = e.op_.at;
        set_result<T>(r);
        r.cpu.probe = &probe_block<N>;
        if constexpr (Kind == skeleton::scan_columns) {
            r.cpu.scan_columns = &scan_columns_block<N, T, Op, Exclusive>;
            r.cpu.fold_columns = &fold_columns_block<N, T, Op>;
        } else {
            r.cpu.scan = &scan_block<N, T, Op, Exclusive>;
            r.cpu.scan_state = sizeof(scan_state<T>);
            if constexpr (stores_running_values<T>) r.cpu.put_in_front = &put_in_front_of_block<N, T, Op>;
            if constexpr (Kind == skeleton::scan) r.cpu.fold = &running_value<T>::template fold<N, Op>;
        }
        r.cpu.combine = &combine_values<T, Op>;
        if constexpr (makes_indices<N>)
            if (checks_bounds()) {
                using checked = with_checks<N>;
                r.cpu.probe = in_checked_call<&probe_block<checked>>;
                if constexpr (Kind == skeleton::scan_columns) {
                    r.cpu.scan_columns = in_checked_call<&scan_columns_block<checked, T, Op, Exclusive>>;
                    r.cpu.fold_columns = in_checked_call<&fold_columns_block<checked, T, Op>>;
                } else {
                    r.cpu.scan = in_checked_call<&scan_block<checked, T, Op, Exclusive>>;
                    if constexpr (Kind == skeleton::scan)
                        r.cpu.fold = in_checked_call<&running_value<T>::template fold<checked, Op>>;
                }
            }
        register_recipe(r);
        return s;
    }

    function_source op_;
    std::optional<T> start_;
    N node_;
};

template <skeleton Kind, bool Exclusive, class Op, class T, class N>
inline constexpr bool has_nested_calls<scan_expression<Kind, Exclusive, Op, T, N>> = is_call<N>;

template <skeleton Kind, bool Exclusive, class Op, class T, class N>
auto unfused(const scan_expression<Kind, Exclusive, Op, T, N>& s, const extent& x)
{
    return s.of(leaf_expression<element_leaf<typename N::value>>(settled(s.node(), x)));
}

template <skeleton Kind, bool Exclusive, class Op, class T, class N>
void join_extent(const scan_expression<Kind, Exclusive, Op, T, N>& s, extent& e, std::size_t& argument, const recipe& r)
{
    join_extent(s.node(), e, argument, r);
    if (Kind != skeleton::scan && e.rank == 1) throw_not_a_matrix(r, e.cols);
    if (Kind != skeleton::scan && e.rank > 2) throw_not_a_matrix(r, e);
}
template <skeleton Kind, bool Exclusive, class Op, class T, class N>
void collect_operands(const scan_expression<Kind, Exclusive, Op, T, N>& s, operand*& out)
{
    collect_operands(s.node(), out);
}

template <skeleton Kind, bool Exclusive, class Op, class T, class N, index_use Use>
inline constexpr bool uses<scan_expression<Kind, Exclusive, Op, T, N>, Use> = uses<N, Use>;

template <class Op, bool Exclusive, skeleton Kind, class Start, class N>
auto make_scan(const function_source& op, const Start& given, N node)
{
    if constexpr (is_refused<N>) {
        return node;
    } else {
        using V = typename N::value;
        constexpr bool combines = is_operator<Op, V>();
        static_assert(std::is_invocable_v<Op, V, V>,
                      "skelrt: the operator of a scan takes two values of the scanned type");
        static_assert(!std::is_invocable_v<Op, V, V> || combines,
                      "skelrt: the operator of a scan is associative: (T, T) -> T");
        if constexpr (combines) {
            using T = reduced_from<Op, V, Start>;
            return scan_expression<Kind, Exclusive, Op, T, N>(op, start_of<T>(given), std::move(node));
        } else {
            return refused_call{};
        }
    }
}

/// What inclusive and exclusive scans have in common: how they are called.
template <class Op, class Start, bool Exclusive>
class scan_caller
{
public:
    constexpr scan_caller(const function<Op>& op, const Start& start, const caller& where)
        : source_(made_at(op.source(), where)), start_(start)
    {
    }

    /// Calls made from now on obey the plan; an empty one makes them automatic again.
    scan_caller& use(const plan& p)
    {
        source_.use = keep_plan(p);
        return *this;
    }

    template <class Argument>
    auto operator()(const Argument& a) const
    {
        return make_scan<Op, Exclusive, skeleton::scan>(source_, start_, reduction_node(a));
    }
    template <class Argument>
    auto by_row(const Argument& a) const
    {
        return make_scan<Op, Exclusive, skeleton::scan_rows>(source_, start_, reduction_node(a));
    }
    template <class Argument>
    auto by_column(const Argument& a) const
    {
        return make_scan<Op, Exclusive, skeleton::scan_columns>(source_, start_, reduction_node(a));
    }

private:
    function_source source_;
    Start start_;
};

} // namespace detail

/// Running reduction: y[i] = x[0] op x[1] op ... op x[i], with the start value, if given, in front of each; its type:
/// see sk::reduce.
///
/// y = scan(x): a vector; a matrix row after row, as if it were one vector, and a tensor likewise. scan.by_row(m),
/// scan.by_column(m): along each row or down each column of a matrix by itself. The result has the operand's shape and
/// the operator's result type. The operator is associative; operands keep their order, so it need not be commutative. A
/// map call as argument fuses: each mapped value is computed once and never stored. The call is lazy; assigning it
/// evaluates it, asynchronously, and in place where the destination is the operand. Of nothing it is nothing. O(n)
/// work. On GPUs a single pass over the data ("decoupled look-back": Merrill and Garland, Single-pass Parallel Prefix
/// Scan, NVIDIA 2016), so 2 n elements are moved; on CPUs one pass through memory as well, the cores chained block by
/// block. Running values are combined in an order that depends on the cores in use, but not on time: rounding is the
/// same in every run on the same devices. One device does the whole scan, by_row excepted. Errors (sk::error): as
/// sk::map; by_row and by_column of anything but a matrix.
template <class Op, class Start>
class [[nodiscard]] scan : public detail::scan_caller<Op, Start, false>
{
public:
    constexpr scan(const function<Op>& op, const Start& start, detail::caller where = detail::caller::here())
        : detail::scan_caller<Op, Start, false>(op, start, where)
    {
    }
    explicit constexpr scan(const function<Op>& op, detail::caller where = detail::caller::here()) requires
        std::is_void_v<std::remove_pointer_t<Start>> : detail::scan_caller<Op, Start, false>(op, nullptr, where)
    {
    }
};

template <class Start>
class [[nodiscard]] scan<detail::refused, Start> : public detail::refused_skeleton<>
{
public:
    template <class... Args>
    constexpr explicit scan(const Args&... args) : detail::refused_skeleton<>(args...)
    {
    }
};

template <class Op, class Start>
scan(const function<Op>&, const Start&) -> scan<detail::checked<Op>, Start>;
template <class F, class... Start>
scan(const F&, const Start&...) -> scan<detail::refused, void*>;
template <class Op>
scan(const function<Op>&) -> scan<detail::checked<Op>, void*>;

/// Running reduction of what comes before: y[0] = start, y[i] = start op x[0] op ... op x[i - 1]. Otherwise as
/// sk::scan.
template <class Op, class Start>
class [[nodiscard]] exclusive_scan : public detail::scan_caller<Op, Start, true>
{
public:
    constexpr exclusive_scan(const function<Op>& op, const Start& start, detail::caller where = detail::caller::here())
        : detail::scan_caller<Op, Start, true>(op, start, where)
    {
    }
};

template <class Start>
class [[nodiscard]] exclusive_scan<detail::refused, Start> : public detail::refused_skeleton<>
{
public:
    template <class... Args>
    constexpr explicit exclusive_scan(const Args&... args) : detail::refused_skeleton<>(args...)
    {
    }
};

template <class Op, class Start>
exclusive_scan(const function<Op>&, const Start&) -> exclusive_scan<detail::checked<Op>, Start>;
template <class F, class... Start>
exclusive_scan(const F&, const Start&...) -> exclusive_scan<detail::refused, void*>;

} // namespace skelrt
