// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/lowering/plan/planner.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/plan.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// Execution plans that somebody made: by hand, or `skelrt tune`.
namespace skelrt::detail
{

/// What the call must obey: its skeleton's plan, or else the program's (SKELRT_PLAN). Null: it is placed automatically.
const plan_range* range_for(const engine& e, const call& c);

/// Whether a small call may run on the calling thread: that is the CPU, too, if nothing is said about tasks.
bool may_run_inline(const plan_range* obeyed);

/// Why the call cannot obey the range, whatever its functions are; empty: it can.
std::string refusal(const plan_range& r, const engine& e, const call& c, device_set kinds);
[[noreturn]] void throw_refusal(const call& c, const std::string& reason);
bool names(const plan_range& r, const target& t);

/// Groups that obey the range. `device_of[k]`: number of the device of share k. Boundaries lie where segments end,
/// nearest to what the parts say; a part smaller than half a segment may get nothing. Pure.
std::vector<plan_group> obey(const plan_range& r, std::span<const unsigned> device_of,
                             std::span<const std::size_t> elements, std::span<const std::size_t> longest_run);

/// device_of, for the devices that the call can use.
std::vector<unsigned> devices_of(const plan_range& r, const std::vector<const target*>& targets);
/// Cores that work for the CPU's share; 0: all.
unsigned threads_of(const plan_range& r);
/// Threads of a block on a device; 0: automatic.
unsigned block_of(const plan_range& r, const target& t);

} // namespace skelrt::detail
