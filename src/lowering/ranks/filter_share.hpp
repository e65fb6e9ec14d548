// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/join.hpp"

namespace skelrt::detail
{

class transfer;

/// A filter over the ranks: each keeps elements of its share, all hear how many, and the results move to where a vector
/// of that length lies. Waits for the numbers.
void run_filter(engine& e, const call& c, const call_share& share, transfer& messages, const run_local& run);

} // namespace skelrt::detail
