// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/join.hpp"

namespace skelrt::detail
{

/// Scans down the columns of a matrix over the ranks: each reduces its rows by column, sends that to the ranks behind
/// it, combines what comes, start value in front, and scans behind that. Edges of the graph: nothing waits.
void run_column_scan(engine& e, const call& c, const call_share& share, const run_local& run);

} // namespace skelrt::detail
