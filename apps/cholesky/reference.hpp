// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/check.hpp"

#include <skelrt/matrix.hpp>

namespace cholesky
{

/// Compares L (L^T x) with A x, row by row; x is random, of 1 and -1, so that no element of A or L is left out. Errors
/// are relative to the sum of the magnitudes in a row of A; n and their precision say what is good: sqrt(n) roundings
/// of the largest kind, 8 times. So the residual A - L L^T is far below n |A| eps.
template <class T>
apps::comparison compare(const skelrt::matrix<T>& factor, const skelrt::matrix<T>& original);

} // namespace cholesky
