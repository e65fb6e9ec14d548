// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/check.hpp"
#include "kernel.hpp"

#include <cstddef>

namespace ode
{

/// Largest error that passes, as a part of the tolerance of a step: steps of slightly other lengths differ by so much less.
inline constexpr double tolerated_part = 0.1;

/// The same method on one core, one loop after the other, from the start to `end`, against what the devices have.
apps::comparison compare_with_loops(const solver& done, double tolerance, double end);

} // namespace ode
