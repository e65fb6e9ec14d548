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

struct own_position {
    static constexpr const char* name = "sk::iota";
    static constexpr const char* text = "(skelrt::index1 at) { return (unsigned long)at.i; }";
    std::size_t operator()(index1 at) const { return at.i; }
};

struct is_set {
    static constexpr const char* name = "sk::by_key";
    static constexpr const char* text = "(unsigned long, unsigned char flag) { return flag != 0; }";
    bool operator()(std::size_t, unsigned char flag) const { return flag != 0; }
};

/// The positions 0, 1, ..., n - 1 as a call.
inline auto positions(std::size_t n) { return map(own_function<own_position>())(shape(n)); }

/// The positions whose flag is set, in order. Waits for their number.
inline vector<std::size_t> positions_of(const vector<unsigned char>& flags)
{
    return filter(own_function<is_set>())(positions(flags.size()), flags);
}

} // namespace skelrt::detail
