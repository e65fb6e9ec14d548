// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/join.hpp"

namespace skelrt::detail
{

/// A scan of all elements over the ranks: each reduces its share, hears what comes in front of it, and scans behind
/// that. Waits for the reductions, not for the scans.
void run_scan(engine& e, const call& c, const call_share& share, const run_local& run);

} // namespace skelrt::detail
