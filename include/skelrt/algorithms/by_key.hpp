// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/keyed_scan.hpp"
#include "unique.hpp"

namespace skelrt
{

namespace detail
{

/// The elements at which one of the runs' flags is set.
template <class T, unsigned char Flag>
struct keep_at {
    static constexpr const char* name = "sk::reduce_by_key";
    static constexpr const char* text = Flag == begins_here ? "($0, unsigned char flags) { return (flags & 1) != 0; }"
                                                            : "($0, unsigned char flags) { return (flags & 2) != 0; }";
    bool operator()(const T&, unsigned char flags) const { return (flags & Flag) != 0; }
};

/// Filters elements by the runs' flags.
template <unsigned char Flag, class T>
vector<T> kept_at(const vector<T>& x, const vector<unsigned char>& flags)
{
    return filter(own_function<keep_at<T, Flag>, T>())(x, flags);
}

} // namespace detail

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
/// `keys` are numbers, or structs with an operator == that devices know; `values` any elements, or a call: of a map it
/// fuses. `op` is associative, a user function or one of ours. Waits for the number of runs. O(n): four passes. Memory
/// besides: a value and a flag of a byte for each element. Errors (sk::error): another number of values than of keys.
template <class Keys, class Values, class Op>
auto reduce_by_key(const Keys& keys, const Values& values, const function<Op>& op)
{
    using Key = detail::operand_element<Keys>;
    using V = detail::operand_element<Values>;
    static_assert(detail::check_keyed_operator<Op, V>());
    using T = detail::reduced<Op, V>;
    const auto& held = detail::stored(keys);
    const auto& seen = detail::counted(values);
    const std::size_t n = detail::operand_size(seen, "sk::reduce_by_key");
    if (n != held.size()) detail::throw_other_sizes("sk::reduce_by_key", "keys", held.size(), "values", n);
    const vector<unsigned char> bounds = detail::run_bounds(held);
    // The keys first: this filter waits, and would share the cores with the scan.
    vector<Key> first_keys = detail::kept_at<detail::begins_here>(held, bounds);
    const vector<T> scanned = detail::scan_runs<T>(bounds, seen, op);
    return reduced_by_key<Key, T>{std::move(first_keys), detail::kept_at<detail::ends_here>(scanned, bounds)};
}

/// Running reductions that begin anew with every run of equal keys: y[i] = x[first of the run] op ... op x[i].
///
///     sk::vector<float> y = sk::scan_by_key(keys, x, sk::plus);
///
/// Where runs begin is found at once, asynchronously. What comes back is a lazy call, as of sk::scan: it nests, and
/// reads `values` when it is assigned. Otherwise as sk::reduce_by_key. O(n): two passes, one over the keys and one over
/// the values, and a byte for each element.
template <class Keys, class Values, class Op>
auto scan_by_key(const Keys& keys, const Values& values, const function<Op>& op)
{
    using V = detail::operand_element<Values>;
    static_assert(detail::check_keyed_operator<Op, V>());
    using T = detail::reduced<Op, V>;
    const auto& named = detail::counted(keys);
    const auto& seen = detail::counted(values);
    const std::size_t m = detail::operand_size(named, "sk::scan_by_key");
    const std::size_t n = detail::operand_size(seen, "sk::scan_by_key");
    if (n != m) detail::throw_other_sizes("sk::scan_by_key", "keys", m, "values", n);
    return detail::scan_runs<T>(detail::run_heads(named), seen, op);
}

/// The same of what comes before: y[i] is `start` where a run begins, and start op x[first] op ... op x[i - 1] else.
template <class Keys, class Values, class Op, class Start>
auto exclusive_scan_by_key(const Keys& keys, const Values& values, const function<Op>& op, const Start& start)
{
    using V = detail::operand_element<Values>;
    static_assert(detail::check_keyed_operator<Op, V>());
    using T = detail::reduced_from<Op, V, Start>;
    const auto& held = detail::stored(values);
    const auto& named = detail::counted(keys);
    const std::size_t m = detail::operand_size(named, "sk::exclusive_scan_by_key");
    if (held.size() != m) detail::throw_other_sizes("sk::exclusive_scan_by_key", "keys", m, "values", held.size());
    const T first = *detail::start_of<T>(start);
    return detail::scan_before_runs<T>(detail::run_heads(named), held, op, first);
}

} // namespace skelrt
