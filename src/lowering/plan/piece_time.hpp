// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/model.hpp"

#include <cstddef>

namespace skelrt::detail
{

/// What one of overlap_pieces of a call on so many elements takes on a GPU, in microseconds. A kernel that does not
/// fill the GPU takes as long as one that does, and those of pairs have few blocks: until somebody has seen one of that
/// size, it is taken for one that fills the GPU, or for all. `depth`: elements per pair.
double piece_time_us(const models& known, const recipe& r, const runner& who, std::size_t elements, std::size_t depth,
                     double core_ns, unsigned cores) noexcept;

} // namespace skelrt::detail
