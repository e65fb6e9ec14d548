// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace heat
{

/// Points along x, y and z; a plate has one along z.
using extents = std::array<std::size_t, 3>;

/// So many explicit steps by plain loops, x fastest; nothing flows along z in a plate.
std::vector<double> plain_steps(std::vector<double> u, const extents& n, bool plate, std::size_t steps, double alpha);

} // namespace heat
