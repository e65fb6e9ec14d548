// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../filter.hpp"
#include "../gather.hpp"
#include "../histogram.hpp"
#include "../host.hpp"
#include "../sort.hpp"
#include "detail/own_function.hpp"
#include "reorder.hpp"

#include <bit>
#include <cstdint>

namespace skelrt
{

namespace detail
{

/// The upper bits of numbers, in the numbers' order: what a histogram counts.
inline constexpr unsigned order_bits = 12;

template <class T>
struct order_key;

/// Text and host function in one place: bits of integers and of floats, mapped to unsigned ones of the same order.
template <class T>
    requires(std::is_integral_v<T>&& std::is_signed_v<T>)
struct order_key<T> {
    static constexpr const char* name = "sk::top_k";
    static constexpr const char* text =
        sizeof(T) == 8   ? "($0 x) { return (unsigned)(((unsigned long)x ^ 0x8000000000000000ul) >> 52); }"
        : sizeof(T) == 4 ? "($0 x) { return ((unsigned)x ^ 0x80000000u) >> 20; }"
        : sizeof(T) == 2 ? "($0 x) { return (((unsigned)x & 0xffffu) ^ 0x8000u) >> 4; }"
                         : "($0 x) { return ((unsigned)x & 0xffu) ^ 0x80u; }";
    unsigned operator()(T x) const
    {
        using U = std::make_unsigned_t<T>;
        constexpr int bits = 8 * sizeof(T);
        const U key = static_cast<U>(static_cast<U>(x) ^ (U{1} << (bits - 1)));
        if constexpr (bits > static_cast<int>(order_bits)) return static_cast<unsigned>(key >> (bits - order_bits));
        else return key;
    }
};

template <class T>
    requires(std::is_unsigned_v<T>)
struct order_key<T> {
    static constexpr const char* name = "sk::top_k";
    static constexpr const char* text = sizeof(T) == 8   ? "($0 x) { return (unsigned)(x >> 52); }"
                                        : sizeof(T) == 4 ? "($0 x) { return (unsigned)(x >> 20); }"
                                        : sizeof(T) == 2 ? "($0 x) { return (unsigned)x >> 4; }"
                                                         : "($0 x) { return (unsigned)x; }";
    unsigned operator()(T x) const
    {
        constexpr int bits = 8 * sizeof(T);
        if constexpr (bits > static_cast<int>(order_bits)) return static_cast<unsigned>(x >> (bits - order_bits));
        else return x;
    }
};

template <>
struct order_key<float> {
    static constexpr const char* name = "sk::top_k";
    static constexpr const char* text = "(float x) { const unsigned b = std::bit_cast<unsigned>(x); "
                                        "return ((b & 0x80000000u) != 0 ? 0xffffffffu - b : b + 0x80000000u) >> 20; }";
    unsigned operator()(float x) const
    {
        const auto b = std::bit_cast<std::uint32_t>(x);
        return ((b & 0x80000000u) != 0 ? 0xffffffffu - b : b + 0x80000000u) >> 20;
    }
};

template <>
struct order_key<double> {
    static constexpr const char* name = "sk::top_k";
    static constexpr const char* text =
        "(double x) { const unsigned long b = std::bit_cast<unsigned long>(x); return (unsigned)(((b & "
        "0x8000000000000000ul) != 0 ? 0xfffffffffffffffful - b : b + 0x8000000000000000ul) >> 52); }";
    unsigned operator()(double x) const
    {
        const auto b = std::bit_cast<std::uint64_t>(x);
        return static_cast<unsigned>(
            ((b & (std::uint64_t{1} << 63)) != 0 ? ~std::uint64_t{0} - b : b + (std::uint64_t{1} << 63)) >> 52);
    }
};

template <class T>
struct at_least {
    static constexpr const char* name = "sk::top_k";
    static constexpr const char* text = "($0, unsigned key, unsigned least) { return key >= least; }";
    bool operator()(const T&, unsigned key, unsigned least) const { return key >= least; }
};

/// The largest key with which at least k elements have that key or a larger one.
template <class Keys>
unsigned least_key_of_top(const Keys& keys, std::size_t k)
{
    const vector<std::size_t> counts = histogram<std::size_t>(keys, std::size_t{1} << order_bits, 0u, 1u << order_bits);
    const auto h = host_read(counts);
    unsigned key = 1u << order_bits;
    for (std::size_t above = 0; key > 0 && above < k;) above += h[--key];
    return key;
}

} // namespace detail

/// The k largest elements of numbers, the largest first.
///
///     sk::vector<float> best = sk::top_k(scores, 10);
///
/// Counts the elements by their upper 12 bits, which waits, then sorts those that may be among the largest. x is a
/// vector, a view or a map call, which is computed twice, not stored. O(n), and O(m log m) for the m elements whose
/// upper bits are no less than those of the k-th. No NaN. Errors (sk::error): k > n.
template <class X>
auto top_k(const X& x, std::size_t k)
{
    using T = detail::operand_element<X>;
    static_assert(std::is_arithmetic_v<T>, "skelrt: sk::top_k takes numbers; map other elements to a number first");
    const std::size_t n = detail::operand_size(x, "sk::top_k");
    if (k > n) detail::throw_top_k(k, n);
    if (k == 0) return vector<T>();
    const map keys(detail::own_function<detail::order_key<T>, T>());
    const unsigned least = detail::least_key_of_top(keys(x), k);
    const vector<T> candidates = filter(detail::own_function<detail::at_least<T>, T>())(x, keys(x), least);
    const vector<T> ascending = sort(candidates);
    return vector<T>(reverse(ascending.range(ascending.size() - k, k)));
}

} // namespace skelrt
