// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/check.hpp"
#include "kernel.hpp"

#include <cstddef>

namespace sor
{

/// Largest error that passes, relative to the largest value: compilers may contract products and sums.
inline constexpr double tolerance = 1e-11;

/// So many sweeps from zero, one value after the other, against what the devices have.
apps::comparison compare_with_loops(const grid& values, const equations& e, std::size_t sweeps);

} // namespace sor
