// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/join.hpp"

namespace skelrt::detail
{

/// A sort over the ranks: each sorts its share, all find where these are cut, and each merges what belongs to its
/// lines. Waits for all of it.
void run_sort(engine& e, const call& c, const call_share& share, const run_local& run);

} // namespace skelrt::detail
