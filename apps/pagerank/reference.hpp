// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace pagerank
{

/// The same iterations by plain loops in double precision, edge after edge in the order in which they came.
std::vector<double> plain_ranks(std::size_t vertices, const edges& all, std::size_t iterations, double damping);

} // namespace pagerank
