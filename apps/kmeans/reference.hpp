// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "options.hpp"

#include <cstddef>
#include <vector>

namespace kmeans
{

/// What plain loops come to.
struct plain_result {
    std::vector<float> centres; ///< one after the other
    double seconds = 0;
};

/// Lloyd's iterations over `points`, coordinate after coordinate, by plain loops.
plain_result plain_kmeans(const std::vector<float>& points, const options& o);

} // namespace kmeans
