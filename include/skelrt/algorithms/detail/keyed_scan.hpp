// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../scan.hpp"
#include "heads.hpp"

namespace skelrt::by_key
{

/// A value, and whether a run begins with it: a number as large as the value is aligned, so that there is no gap.
/// Devices have it in src/function/own_types.cpp; g++ names what stands in skelrt::detail in another way than clang++.
template <class T, class Head>
struct headed {
    T value;
    Head head;
};

} // namespace skelrt::by_key

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
                                        "k.head = head; return k; }";
    headed_value<T> operator()(unsigned char head, V value) const
    {
        return {static_cast<T>(value), static_cast<head_number<T>>(head)};
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

template <class T>
struct value_of_headed {
    static constexpr const char* name = "sk::scan_by_key";
    static constexpr const char* text = "($1 k) { return k.value; }";
    T operator()(headed_value<T> k) const { return k.value; }
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

/// Scans a call that gives headed values.
template <class T, class Op, class Node>
vector<headed_value<T>> scan_headed(const function_source& op, Node node)
{
    return scan_expression<skeleton::scan, false, headed_operator<Op>, headed_value<T>, Node>(op, std::nullopt,
                                                                                              std::move(node));
}

/// `heads`: flags, or a call that gives them.
template <class T, class Heads, class Values, class Op>
vector<headed_value<T>> scan_runs(const Heads& heads, const Values& values, const function<Op>& op)
{
    using V = operand_element<Values>;
    return scan_headed<T, Op>(op.source(),
                              map(own_function<make_headed<T, V>, T, V, headed_value<T>>())(heads, values));
}

template <class T, class Heads, class V, class Op>
vector<headed_value<T>> scan_before_runs(const Heads& heads, const vector<V>& values, const function<Op>& op, T start)
{
    return scan_headed<T, Op>(
        op.source(), map(own_function<make_headed_before<T, V>, T, V, headed_value<T>>())(heads, values, start));
}

template <class T>
auto values_of(const vector<headed_value<T>>& scanned)
{
    return map(own_function<value_of_headed<T>, T, headed_value<T>>())(scanned);
}

} // namespace skelrt::detail
