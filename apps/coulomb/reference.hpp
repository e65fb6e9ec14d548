// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "potential.hpp"

#include "apps/shared/check.hpp"

#include <cstddef>
#include <vector>

namespace coulomb
{

/// Largest relative error that passes. The sum runs in float, in whatever order a device likes, over float positions.
inline constexpr double tolerance = 1e-5;

/// Compares `samples` points, the same ones each time, with sums in double precision; errors are relative to the sum of
/// the magnitudes of a point's terms. `values` is values_of(field).
apps::comparison compare(const grid& g, const std::vector<float>& values, const molecule& m,
                         std::size_t samples = 1000);

} // namespace coulomb
