// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/run/submitted_call.hpp"

/// SKELRT_LOG=trace: when each task was pushed, had its data, ran, and was over.
namespace skelrt::detail
{

/// StarPU notes times from now on, if they are wanted.
void start_trace();
/// The task that has just ended on this worker: one line.
void trace_task(const task_group& g) noexcept;

} // namespace skelrt::detail
