// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/join.hpp"

namespace skelrt::detail
{

/// Whether a call reduces everything to an sk::scalar.
bool reduces_to_scalar(const call& c) noexcept;

/// Of such a call: partial results go up a tree of the ranks, in their order, and the first rank's bits down to all.
/// Edges of the graph: nothing waits. What goes wrong stays with the scalar of the rank where it did, and who reads the
/// value hears of it.
void run_to_scalar(engine& e, const call& c, const call_share& share, const run_local& run);

} // namespace skelrt::detail
