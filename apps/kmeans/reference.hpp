// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace kmeans
{

/// Centres, coordinate after coordinate, after Lloyd's iterations over `points` by plain loops.
std::vector<float> plain_centres(const std::vector<float>& points, std::size_t dimensions, std::size_t clusters,
                                 std::size_t iterations);

} // namespace kmeans
