// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace apps::blas
{

/// 1 and -1 at random, the same ones each time: a matrix is multiplied by them so that no element is left out.
inline std::vector<double> random_signs(std::size_t n)
{
    std::vector<double> x(n);
    std::mt19937_64 random(1997);
    for (double& v : x) v = random() % 2 == 0 ? 1 : -1;
    return x;
}

} // namespace apps::blas
