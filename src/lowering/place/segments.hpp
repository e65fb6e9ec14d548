// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <span>
#include <vector>

/// Cutting a call's index space where its operands' tiles end. Pure: no data, no devices.
namespace skelrt::detail
{

/// An element operand: position p on the cut axis (column of a vector, row of a matrix) starts at storage element
/// offset + p * step, and one position never spans two tiles. The step may go back.
struct cut_operand {
    std::size_t offset;
    std::size_t step;
    std::size_t tile_elements;
};

/// Positions 0 = b[0] < b[1] < ... < b[k] = extent such that between two neighbours every operand stays in one tile.
/// O(segments x operands).
std::vector<std::size_t> cut_axis(std::size_t extent, std::span<const cut_operand> operands);

} // namespace skelrt::detail
