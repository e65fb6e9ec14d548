// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

namespace matmul
{

using matrix = skelrt::matrix<float>;

/// to = a * b, asynchronously, on the devices that this thread may use: all pairs of the rows of a and the columns of
/// b, zipped by multiplication and reduced by addition. b is read in place.
void multiply(matrix& to, const matrix& a, const matrix& b);

} // namespace matmul
