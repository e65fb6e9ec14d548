// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace cg
{

/// x after so many steps of the textbook's conjugate gradients by plain loops, one after the other.
std::vector<double> plain_steps(const grid& b, std::size_t steps);

} // namespace cg
