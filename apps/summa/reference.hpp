// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/check.hpp"

#include <skelrt/matrix.hpp>

namespace summa
{

/// Compares C x with A (B x), row by row; x is random, of 1 and -1, so that no element of C is left out. Errors are
/// relative to the sum of the magnitudes; n and the elements' precision say what is good: 8 sqrt(n) roundings.
template <class T>
apps::comparison compare(const skelrt::matrix<T>& c, const skelrt::matrix<T>& a, const skelrt::matrix<T>& b);

} // namespace summa
