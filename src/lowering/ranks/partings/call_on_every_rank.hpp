// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/join.hpp"

namespace skelrt::detail
{

class transfer;

/// A call that is done whole, by every rank for itself: what is dealt out of its operands comes to each, and each keeps
/// of the result what it holds. For calls whose positions follow from each other everywhere.
void run_on_every_rank(engine& e, const call& c, transfer& messages, const run_local& run);

} // namespace skelrt::detail
