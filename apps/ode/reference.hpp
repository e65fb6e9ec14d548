// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace ode
{

/// What the same method comes to at `end` on one core, one loop after the other, however values are numbered.
std::vector<species> plain_integrated(const bruss2d& problem, double tolerance, double end);
std::vector<species> plain_integrated(const medakzo& problem, double tolerance, double end);

} // namespace ode
