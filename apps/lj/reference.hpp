// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace lj
{

/// The atoms of `start`, by their numbers, after so many steps by plain loops, with a list of atoms for each cell.
std::vector<atom> plain_steps(const fluid& start, std::size_t steps, float dt);

} // namespace lj
