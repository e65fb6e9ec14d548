// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../random.hpp"
#include "leaves.hpp"
#include "signature.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>

/// The value of a tree at one position.
namespace skelrt::detail
{

/// Where an evaluation stands: element c of a block whose first column is col0; row and col0 count from the call's
/// origin.
struct position {
    std::size_t row, col0;
    index_widths width;
    std::size_t c;
};

/// The index that a user function asks for.
template <index_use Use>
auto index_at(const position& at)
{
    const std::size_t col = at.col0 + at.c;
    if constexpr (Use == index_use::one) return index1{at.row * at.width.cols + col};
    else if constexpr (Use == index_use::two) return index2{at.row, col};
    else if constexpr (Use == index_use::three) return index3{at.row, col / at.width.line, col % at.width.line};
    else {
        const std::size_t in_plane = col % at.width.plane;
        return index4{at.row, col / at.width.plane, in_plane / at.width.line, in_plane % at.width.line};
    }
}

template <class N, std::size_t First, class Reader>
decltype(auto) evaluate(const Reader& read, const position& at)
{
    if constexpr (leaf<N>) return read.template get<First>(at.c);
    else return N::template apply<First>(read, at);
}

/// Whether a parameter refers to elements somewhere, by index.
template <class T>
inline constexpr bool sees_more = is_vec<T> || is_mat<T> || is_accumulator<T> || hood_rank<T> != 0;

template <class T>
inline auto unchecked(const T& argument)
{
    if constexpr (sees_more<T>) return T(argument, checked_operand{});
    else return argument;
}

/// Calls a user function with such parameters. The compiler puts its text in here before anything else, where it sees
/// that no index is checked: what it makes of the function is what it would make if there were no checks.
template <class Lambda, class... Args>
[[gnu::flatten]] inline decltype(auto) call_unchecked(const Args&... args)
{
    return Lambda{}(unchecked(args)...);
}

/// What an sk::random parameter gets: made of a seed, which is a uniform slot, and the position.
class random_node
{
public:
    static constexpr std::size_t leaves = 1;
    using leaf_types = type_list<uniform_leaf<std::uint64_t>>;
    using value = random;

    explicit random_node(const random_seed& seed) : key_{seed.key()} {}
    std::tuple<const uniform_leaf<std::uint64_t>&> nodes() const noexcept { return {key_}; }
    const extent& given() const noexcept
    {
        static const extent none;
        return none;
    }

    template <std::size_t First, class Reader>
    static random apply(const Reader& read, const position& at)
    {
        return random(read.template get<First>(at.c), index_at<index_use::one>(at).i);
    }

private:
    uniform_leaf<std::uint64_t> key_;
};

} // namespace skelrt::detail
