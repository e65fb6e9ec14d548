// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../scan.hpp"
#include "headed.hpp"
#include "heads.hpp"

/// Scans that begin anew at heads: an ordinary scan of values with a flag. For an associative operator op,
/// (a, h) o (b, g) = (g ? b : a op b, h or g) is associative, too (Blelloch, Prefix Sums and Their Applications, 1990).
namespace skelrt::detail
{

using by_key::headed;

template <class T>
using head_number =
    std::conditional_t<alignof(T) == 1, signed char,
                       std::conditional_t<alignof(T) == 2, short, std::conditional_t<alignof(T) == 4, int, long>>>;
template <class T>
using headed_value = headed<T, head_number<T>>;

/// An operator for headed values, of one for their values. The devices' translators make it of the operator's own text.
template <class Op>
struct headed_operator {
    template <class T, class Head>
    headed<T, Head> operator()(const headed<T, Head>& a, const headed<T, Head>& b) const
    {
        if (b.head) return b;
        return {static_cast<T>(Op{}(a.value, b.value)), a.head};
    }
};

template <class T, class V>
struct make_headed {
    static constexpr const char* name = "sk::scan_by_key";
    static constexpr const char* text = "(unsigned char head, $1 value) { $2 k; k.value = value; "
                                        "k.head = head & 1; return k; }";
    headed_value<T> operator()(unsigned char head, V value) const
    {
        return {static_cast<T>(value), static_cast<head_number<T>>(head & begins_here)};
    }
};

/// For exclusive scans: what comes before, or the start value where a run begins.
template <class T, class V>
struct make_headed_before {
    static constexpr const char* name = "sk::exclusive_scan_by_key";
    static constexpr const char* text =
        "(skelrt::index1 at, unsigned char head, skelrt::vec<$1> values, $0 start) { $2 k; "
        "k.value = start; k.head = head; if (head == 0) k.value = values[at.i - 1]; return k; }";
    headed_value<T> operator()(index1 at, unsigned char head, vec<V> values, T start) const
    {
        if (head != 0) return {start, static_cast<head_number<T>>(head)};
        return {static_cast<T>(values[at.i - 1]), 0};
    }
};

/// The flags that such a call is made of; of headed values that are stored, these themselves.
template <class N>
struct heads_of {
    using type = N;
};
template <class Make, class Heads, class... Rest>
struct heads_of<map_expression<Make, Heads, Rest...>> {
    using type = Heads;
};
template <class N>
struct heads_of<with_checks<N>> {
    using type = with_checks<typename heads_of<N>::type>;
};

inline bool starts_run(unsigned char flags) { return (flags & begins_here) != 0; }
template <class T, class Head>
bool starts_run(const headed<T, Head>& k)
{
    return k.head != 0;
}

/// Scans store the values only. What a block sums up to begins at its last head: nothing in front of that is read.
template <class V, class Head>
struct running_value<headed<V, Head>> {
    using T = headed<V, Head>;
    using stored = V;
    static const V& store(const T& k) { return k.value; }

    /// Operands by key are vectors, and so blocks are one row.
    template <class N, class Op>
    static void fold(const cpu_block& b, void* acc, bool started)
    {
        if (is_linear<N>(b.slots, false)) fold_row<N, Op, true>(b, *static_cast<T*>(acc), started);
        else fold_row<N, Op, false>(b, *static_cast<T*>(acc), started);
    }

private:
    template <class N, class Op, bool Linear>
    static void fold_row(const cpu_block& b, T& acc, bool started)
    {
        std::exception_ptr what;
        const guarded_operator<T, Op> op{&what};
        const reader<N, Linear> read(b.slots, 0);
        const position first{b.where.row0, b.where.col0, b.width, 0};
        using heads = typename heads_of<N>::type;
        const auto head = row_values<heads, typename heads::value>(read, first, what);
        const auto value = row_values<N, T>(read, first, what);
        std::size_t behind = b.where.cols; // the last head
        while (behind > 0 && !starts_run(head(behind - 1))) --behind;
        const std::size_t from = behind > 0 ? behind - 1 : 0;
        const T all =
            fold_values<false, T>([&](std::size_t i) noexcept { return value(from + i); }, b.where.cols - from, op);
        acc = started && behind == 0 ? op(acc, all) : all;
        rethrow(what);
    }
};

template <class Op, class V>
constexpr bool check_keyed_operator()
{
    static_assert(std::is_invocable_v<Op, V, V>,
                  "skelrt: the operator of a scan or reduction by key takes two of the values");
    static_assert(!std::is_invocable_v<Op, V, V> || is_operator<Op, V>(),
                  "skelrt: the operator of a scan or reduction by key is associative: (T, T) -> T");
    return std::is_invocable_v<Op, V, V> && is_operator<Op, V>();
}

/// The scan of a call that gives headed values, which stores the values.
template <class T, class Op, class Node>
auto scan_headed(const function_source& op, Node node)
{
    return scan_expression<skeleton::scan, false, headed_operator<Op>, headed_value<T>, Node>(op, std::nullopt,
                                                                                              std::move(node));
}

/// `heads`: flags, or a call that gives them. Of each only begins_here counts.
template <class T, class Heads, class Values, class Op>
auto scan_runs(const Heads& heads, const Values& values, const function<Op>& op)
{
    using V = operand_element<Values>;
    return scan_headed<T, Op>(op.source(),
                              map(own_function<make_headed<T, V>, T, V, headed_value<T>>())(heads, values));
}

template <class T, class Heads, class V, class Op>
auto scan_before_runs(const Heads& heads, const vector<V>& values, const function<Op>& op, T start)
{
    return scan_headed<T, Op>(
        op.source(), map(own_function<make_headed_before<T, V>, T, V, headed_value<T>>())(heads, values, start));
}

} // namespace skelrt::detail
