// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/check.hpp"

#include <cstddef>
#include <cstdint>

namespace matmul
{

/// Largest relative error that passes. Sums run in single precision, in whatever order a device likes.
inline constexpr double tolerance = 1e-5;

/// Numbers from -1 to 1; another seed, other numbers.
matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed);

/// Compares `samples` elements of c = a * b, the same ones each time and the corners, with sums in double precision.
/// Errors are relative to the sum of the magnitudes of an element's terms.
apps::comparison compare(const matrix& c, const matrix& a, const matrix& b, std::size_t samples = 2000);

} // namespace matmul
