// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/caller/at_once.hpp"
#include "src/lowering/decide/decision.hpp"
#include "src/lowering/decide/request.hpp"
#include "src/lowering/run/submitted_call.hpp"

/// From a call, and the devices that may do it, to tasks; or to what the caller shall run at once, when it has given
/// the lock back, where no task is needed. For who holds the order's lock.
namespace skelrt::detail
{

/// The caller keeps one hold on the call's state.
submitted_call& submit_to(engine& e, const call& c, const request& r, std::vector<const target*> targets,
                          at_once_run& here);

/// The same for a call like one before it, where that went.
submitted_call& submit_like(engine& e, const call& c, const request& r, shared_decision known, at_once_run& here);

} // namespace skelrt::detail
