// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

namespace skelrt::detail
{

class engine;
class task_record;

/// For StarPU's policies: what a task takes on a worker.
double expected_task_us(starpu_task* task, starpu_perfmodel_arch* arch, unsigned);
/// For ours: what it takes on each target, as known when it becomes ready. Now and then a task is a trial: it seems to
/// take nothing on a device that was not measured enough. A worker's or a program's thread.
void rate_targets(void* record) noexcept;

/// Of a task that is about to be submitted: the planner of other programs' calls sees it where it will likely run, and
/// its own placement sees where these calls are. Caller holds the order's lock.
void note_load(engine& e, task_record& t);

} // namespace skelrt::detail
