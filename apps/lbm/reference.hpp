// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace lbm
{

/// Steps from the wind by plain loops, a plane for each direction: what is in flow moves on, then all cells collide.
/// The value of a direction in a cell is [direction * cells + cell].
std::vector<float> plain_steps(const flow& w, std::size_t steps);

} // namespace lbm
