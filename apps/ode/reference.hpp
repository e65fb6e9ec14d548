// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace ode
{

/// What the same method comes to at `end` on one core, one loop after the other.
std::vector<species> plain_integrated(std::size_t n, double tolerance, double end);

} // namespace ode
