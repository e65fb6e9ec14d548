// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/join.hpp"

/// Calls with accumulators: each rank's share changes containers of its own, which begin as nothing, and what these
/// hold goes to the ranks that hold the elements. Waits.
namespace skelrt::detail
{

/// Of skeleton::accumulate. All ranks throw what the first of those that failed has.
void run_accumulation(engine& e, const call& c, const call_share& share, const run_local& run);

} // namespace skelrt::detail
