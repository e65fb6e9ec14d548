// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../gather.hpp"
#include "../random.hpp"
#include "../sort.hpp"
#include "detail/own_function.hpp"

/// The elements in another order.
namespace skelrt
{

namespace detail
{

struct reversed_position {
    static constexpr const char* name = "sk::reverse";
    static constexpr const char* text = "(skelrt::index1 at, unsigned long n) { return n - 1 - (unsigned long)at.i; }";
    std::size_t operator()(index1 at, std::size_t n) const { return n - 1 - at.i; }
};

struct rotated_position {
    static constexpr const char* name = "sk::rotate";
    static constexpr const char* text = "(skelrt::index1 at, unsigned long n, unsigned long first) { const unsigned "
                                        "long p = (unsigned long)at.i + first; return p < n ? p : p - n; }";
    std::size_t operator()(index1 at, std::size_t n, std::size_t first) const
    {
        const std::size_t p = at.i + first;
        return p < n ? p : p - n;
    }
};

struct random_key {
    static constexpr const char* name = "sk::shuffle";
    static constexpr const char* text = "(skelrt::random r) { const unsigned long high = r.bits(); const unsigned long "
                                        "low = r.bits(); return high << 32 | low; }";
    std::size_t operator()(random r) const
    {
        const std::size_t high = r.bits(), low = r.bits();
        return high << 32 | low;
    }
};

} // namespace detail

/// The elements from the last to the first. A lazy map call, which nests and fuses; every device that takes part has
/// all of x. O(n). Of a vector, x.reversed() is a view that reads them where they lie, of one process.
template <class X>
auto reverse(const X& x)
{
    const auto& held = detail::stored(x);
    const std::size_t n = held.size();
    return gather(held, map(detail::own_function<detail::reversed_position>())(shape(n), n));
}

/// The elements from number `first` on, and behind the last those in front of it: y[i] = x[(first + i) mod n], as
/// std::rotate does. A lazy map call as sk::reverse. Errors (sk::error): first > n.
template <class X>
auto rotate(const X& x, std::size_t first)
{
    const auto& held = detail::stored(x);
    const std::size_t n = held.size();
    if (first > n) detail::throw_rotation(first, n);
    return gather(held, map(detail::own_function<detail::rotated_position>())(shape(n), n, first));
}

/// The elements in a random order: a function of the seed and their number alone, the same on all devices. Sorts by
/// random keys of 64 bits: O(n) with radix sort.
///
///     x = sk::shuffle(x, sk::random_seed{42});
template <class X>
auto shuffle(const X& x, random_seed seed)
{
    using T = detail::operand_element<X>;
    vector<T> elements;
    if constexpr (detail::expression<X>) elements = x;
    else detail::assign_map_to_container(elements, detail::copy_of(x));
    vector<std::size_t> keys = map(detail::own_function<detail::random_key>())(shape(elements.size()), seed);
    if (elements.size() > 1) sort_by_key(keys, elements);
    return elements;
}

} // namespace skelrt
