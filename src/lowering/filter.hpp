// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/lowering/run/submitted_call.hpp"

#include <skelrt/runtime.hpp>

/// The end of a filter: its results lie at the beginning of segments, and become a vector.
namespace skelrt::detail
{

/// Waits for the tasks, and makes the result of what they left in `result`, which has room for all elements. Lets go of
/// the state. Throws what went wrong.
void collect_filtered(engine& e, submitted_call& state, device_set kinds, filtered& result);

/// A filter of nothing.
void filter_nothing(filtered& result);

/// A filter of host data on the calling thread.
void filter_here(const recipe& what, const cpu_block& all, filtered& result);

} // namespace skelrt::detail
