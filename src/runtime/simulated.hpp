// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/config.hpp"

/// Builds with -Dsimulation=true run on a StarPU with SimGrid: tasks are planned, scheduled and sent as ever, kernels
/// and copies only take their time, on a clock that only simulated events move. The models are the truth; nothing is
/// learnt.
namespace skelrt::detail
{

inline constexpr bool simulated = SKELRT_SIMULATION;

} // namespace skelrt::detail
