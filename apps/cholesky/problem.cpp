// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cholesky
{
namespace
{

/// SplitMix64's: each bit of the place changes half of the result's.
std::uint64_t scatter(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

} // namespace

/// Eigenvalues of such a random matrix are at most 2 sqrt(n / 3) in magnitude, with a little more for small ones.
double element(std::size_t row, std::size_t col, std::size_t n)
{
    if (row == col) return 2 * std::sqrt(static_cast<double>(n)) + 1;
    const std::uint64_t place = std::uint64_t{std::max(row, col)} << 32 | std::min(row, col);
    return static_cast<double>(static_cast<std::int32_t>(scatter(place) >> 32)) * 0x1p-31;
}

} // namespace cholesky
