// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace cholesky
{

/// Element (row, col) of the matrix that is factored, the same each time: random numbers from -1 to 1, symmetric, on a
/// diagonal that makes it positive definite, and not more than it must: so all that the factors are made of counts.
double element(std::size_t row, std::size_t col, std::size_t n);

} // namespace cholesky
