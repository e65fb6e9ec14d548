// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace sor
{

/// So many sweeps from zero by plain loops, one value after the other.
std::vector<double> plain_sweeps(const equations& e, std::size_t sweeps);

} // namespace sor
