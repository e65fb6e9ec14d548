// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/parting.hpp"

#include <skelrt/detail/items/dealing.hpp>

namespace skelrt::detail
{

/// The parting of a container of this shape that a wish for a grid, or for lines, means. Pure. Throws error for a grid
/// that has not as many places as there are ranks, for blocks of nothing, and for vectors and tensors that are to be
/// dealt out over both axes; `rank`: 1 for vectors, 2 for matrices.
parting dealt_as(const dealing& wish, std::size_t rows, std::size_t cols, int rank, unsigned ranks);

/// Throws error for what is wrong on any number of ranks.
void check_blocks(const dealing& wish);

} // namespace skelrt::detail
