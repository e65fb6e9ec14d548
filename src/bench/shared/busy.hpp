// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// Work without memory, for what items, stages and tasks cost.
namespace bench
{

/// Rounds that wait for each other.
float work_rounds(float x, std::size_t rounds);
/// So many take one core so long.
std::size_t rounds_for(double us);

} // namespace bench
