// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "samples.hpp"

/// What is found out of one sample, by skeleton calls, one after the other. Each waits for its result.
namespace farm
{

inline constexpr int cooling_steps = 50;

/// The mean of what is left after some steps in the cold.
float heat_left(const grid& plate);
/// The mean change of a colour when it is blurred.
float detail(const grid& colour);

float energy(const series& signal); ///< the mean of the squares
float largest(const series& signal);
float highest_sum(const series& signal); ///< of the first so many values, whatever their number

} // namespace farm
