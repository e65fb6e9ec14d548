// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/check.hpp"
#include "kernel.hpp"

#include <cstddef>

namespace cg
{

/// Largest error that passes, relative to the largest value. Both round differently, and conjugate gradients magnify that.
inline constexpr double tolerance = 1e-7;

/// x after so many steps of the textbook's conjugate gradients, one loop after the other, against what the devices have;
/// and r against b - A x.
apps::comparison compare_with_textbook(const grid& b, std::size_t steps, const solver& done);

} // namespace cg
