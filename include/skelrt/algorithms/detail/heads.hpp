// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../border.hpp"
#include "../../filter.hpp"
#include "../../generate.hpp"
#include "../../stencil.hpp"
#include "own_function.hpp"

/// Where runs of equal elements begin.
namespace skelrt::detail
{

/// Whether a run of equal keys begins here.
template <class Key>
struct begins_run {
    static constexpr const char* name = "sk::by_key";
    static constexpr const char* text = "(skelrt::index1 at, skelrt::hood1<$0> key) { return (unsigned char)(at.i == 0 "
                                        "|| !(key(-1) == key(0)) ? 1 : 0); }";
    unsigned char operator()(index1 at, hood1<Key> key) const
    {
        return static_cast<unsigned char>(at.i == 0 || !(key(-1) == key(0)) ? 1 : 0);
    }
};

/// The flags of a vector of keys, or of a call that gives them: 1 where a run begins.
template <class Keys>
vector<unsigned char> run_heads(const Keys& keys)
{
    using Key = operand_element<Keys>;
    const stencil begins(own_function<begins_run<Key>, Key>(), border::nearest(), reach(1));
    if constexpr (container<Keys>) return begins(stored(keys));
    else return begins(keys);
}

/// What flags tell: whether a run begins here, whether one ends.
inline constexpr unsigned char begins_here = 1, ends_here = 2;

/// Both flags; `n`: the number of keys.
template <class Key>
struct bounds_run {
    static constexpr const char* name = "sk::by_key";
    static constexpr const char* text =
        "(skelrt::index1 at, skelrt::hood1<$0> key, unsigned long n) { return (unsigned char)((at.i == 0 || "
        "!(key(-1) == key(0)) ? 1 : 0) + (at.i + 1 == n || !(key(0) == key(1)) ? 2 : 0)); }";
    unsigned char operator()(index1 at, hood1<Key> key, std::size_t n) const
    {
        return static_cast<unsigned char>((at.i == 0 || !(key(-1) == key(0)) ? begins_here : 0) +
                                          (at.i + 1 == n || !(key(0) == key(1)) ? ends_here : 0));
    }
};

/// The flags of a vector of keys.
template <class Key>
vector<unsigned char> run_bounds(const vector<Key>& keys)
{
    const stencil bounds(own_function<bounds_run<Key>, Key>(), border::nearest(), reach(1));
    return bounds(keys, keys.size());
}

struct own_position {
    static constexpr const char* name = "sk::iota";
    static constexpr const char* text = "(skelrt::index1 at) { return (unsigned long)at.i; }";
    std::size_t operator()(index1 at) const { return at.i; }
};

/// The positions 0, 1, ..., n - 1 as a call.
inline auto positions(std::size_t n) { return map(own_function<own_position>())(shape(n)); }

} // namespace skelrt::detail
