// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace jacobi
{

/// So many steps from zero by plain loops.
std::vector<double> plain_steps(const grid& source, double h, std::size_t steps);

} // namespace jacobi
