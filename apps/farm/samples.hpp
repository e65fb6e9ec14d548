// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/matrix.hpp>
#include <skelrt/vector.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace farm
{

using grid = skelrt::matrix<float>;
using series = skelrt::vector<float>;

/// A grid for each of red, green and blue.
using picture = std::array<grid, 3>;

/// What is studied.
struct samples {
    std::vector<grid> plates; ///< how warm they are: 0 to 1
    std::vector<picture> pictures;
    series signal; ///< -1 to 1
};

/// So many plates and pictures of size x size elements, and as long a signal; random, the same each time.
samples make_samples(std::size_t count, std::size_t size);

} // namespace farm
