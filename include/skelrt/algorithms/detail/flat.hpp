// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

/// Where the elements of a tensor lie in the matrix that its flat() shows.
namespace skelrt::detail
{

/// Of the axes from `first` up to, but without, `end`.
template <std::size_t Rank>
std::size_t product_of(const std::array<std::size_t, Rank>& extents, std::size_t first, std::size_t end)
{
    std::size_t n = 1;
    for (std::size_t k = first; k < end; ++k) n *= extents[k];
    return n;
}

/// How far a step along an axis goes.
struct flat_step {
    std::size_t rows = 0, cols = 0;
};
template <std::size_t Rank>
flat_step step_along(const std::array<std::size_t, Rank>& extents, std::size_t axis)
{
    if (axis == 0) return {1, 0};
    return {0, product_of(extents, axis + 1, Rank)};
}

} // namespace skelrt::detail
