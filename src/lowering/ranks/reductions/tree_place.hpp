// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

/// A binomial tree over places 0 .. n, whose root is 0. A place's subtree is the run of places that begins with it, and
/// its children's follow each other in it. Pure.
namespace skelrt::detail
{

/// Not of the root.
constexpr std::size_t parent_in_tree(std::size_t place) noexcept { return place & (place - 1); }

/// In their order.
inline std::vector<std::size_t> children_in_tree(std::size_t place, std::size_t places)
{
    std::vector<std::size_t> all;
    for (std::size_t d = 1; (place & d) == 0 && place + d < places; d *= 2) all.push_back(place + d);
    return all;
}

} // namespace skelrt::detail
