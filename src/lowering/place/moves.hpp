// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/lowering/run/submitted_call.hpp"

namespace skelrt::detail
{

/// Whether another device may do the group's work: nothing of it lies in host memory alone, and it gives the same
/// result anywhere. What is one task, or hands values on from task to task, was given to its device for a reason.
bool may_move(const task_group& g);

/// For a task that ended: where its data is, if a policy moved it away from the worker of its hint.
void note_moves(const task_group& g) noexcept;

} // namespace skelrt::detail
