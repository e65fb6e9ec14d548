// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/keyed_scan.hpp"
#include "unique.hpp"

namespace skelrt
{

/// What sk::reduce_by_key gives: one element for each run of equal keys.
template <class Key, class T>
struct reduced_by_key {
    vector<Key> keys;
    vector<T> values;
};

/// Combines the values of each run of equal keys, which lie next to each other, as Thrust's function of that name does:
/// sorted keys give one result for each key.
///
///     auto [days, sums] = sk::reduce_by_key(day_of_sale, amount, sk::plus);
///
/// `keys` are numbers, or structs with an operator == that devices know; `values` any elements, or a map call, which
/// fuses. `op` is associative, a user function or one of ours. Waits for the number of runs. O(n): five passes. Memory
/// besides: a value, a flag of four bytes and two of a byte for each element. Errors (sk::error): another number of values
/// than of keys.
template <class Keys, class Values, class Op>
auto reduce_by_key(const Keys& keys, const Values& values, const function<Op>& op)
{
    using Key = detail::operand_element<Keys>;
    using V = detail::operand_element<Values>;
    static_assert(detail::check_keyed_operator<Op, V>());
    using T = detail::reduced<Op, V>;
    const auto& held = detail::stored(keys);
    const std::size_t n = detail::operand_size(values, "sk::reduce_by_key");
    if (n != held.size()) detail::throw_other_sizes("sk::reduce_by_key", "keys", held.size(), "values", n);
    const vector<unsigned char> heads = detail::run_heads(held);
    const vector<detail::headed_value<T>> scanned = detail::scan_runs<T>(heads, values, op);
    reduced_by_key<Key, T> result;
    result.keys = filter(detail::own_function<detail::keep_flagged<Key>, Key>())(held, heads);
    result.values =
        filter(detail::own_function<detail::keep_flagged<T>, T>())(detail::values_of(scanned), detail::run_ends(heads));
    return result;
}

/// Running reductions that begin anew with every run of equal keys: y[i] = x[first of the run] op ... op x[i].
///
/// The scan is made at once, asynchronously; what comes back is a lazy map call, which takes the values out of it: it
/// nests and fuses, as in sk::vector<float> y = sk::scan_by_key(keys, x, sk::plus). Otherwise as sk::reduce_by_key.
/// O(n): three passes.
template <class Keys, class Values, class Op>
auto scan_by_key(const Keys& keys, const Values& values, const function<Op>& op)
{
    using V = detail::operand_element<Values>;
    static_assert(detail::check_keyed_operator<Op, V>());
    using T = detail::reduced<Op, V>;
    const std::size_t m = detail::operand_size(keys, "sk::scan_by_key");
    const std::size_t n = detail::operand_size(values, "sk::scan_by_key");
    if (n != m) detail::throw_other_sizes("sk::scan_by_key", "keys", m, "values", n);
    return detail::values_of(detail::scan_runs<T>(detail::run_heads(keys), values, op));
}

/// The same of what comes before: y[i] is `start` where a run begins, and start op x[first] op ... op x[i - 1] else.
template <class Keys, class Values, class Op, class Start>
auto exclusive_scan_by_key(const Keys& keys, const Values& values, const function<Op>& op, const Start& start)
{
    using V = detail::operand_element<Values>;
    static_assert(detail::check_keyed_operator<Op, V>());
    using T = detail::reduced_from<Op, V, Start>;
    const auto& held = detail::stored(values);
    const std::size_t m = detail::operand_size(keys, "sk::exclusive_scan_by_key");
    if (held.size() != m) detail::throw_other_sizes("sk::exclusive_scan_by_key", "keys", m, "values", held.size());
    const T first = *detail::start_of<T>(start);
    return detail::values_of(detail::scan_before_runs<T>(detail::run_heads(keys), held, op, first));
}

} // namespace skelrt
