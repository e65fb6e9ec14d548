// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/join.hpp"

namespace skelrt::detail
{

/// A call of a program of several ranks, on all of them: records it, and runs this rank's share. Throws error, on all
/// ranks, for what cannot be done yet.
void execute_over_ranks(engine& e, const call& c, const run_local& run);

} // namespace skelrt::detail
