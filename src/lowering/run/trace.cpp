// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/run/trace.hpp"

#include "src/runtime/log.hpp"

#include <starpu.h>

namespace skelrt::detail
{

namespace
{

double since(const timespec& begin, const timespec& t)
{
    return static_cast<double>(t.tv_sec - begin.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec - begin.tv_nsec) * 1e-3;
}

} // namespace

void start_trace()
{
    if (log_enabled(log_level::trace)) starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
}

void trace_task(const task_group& g) noexcept
{
    if (!log_enabled(log_level::trace)) return;
    const starpu_task* const task = starpu_task_get_current();
    const starpu_profiling_task_info* const p = task ? task->profiling_info : nullptr;
    if (!p) return;
    char worker[64];
    starpu_worker_get_name(p->workerid, worker, sizeof worker);
    const timespec& zero = p->submit_time;
    log_trace("{} call {} task {} of {} on {}: submitted at {:.0f} us, pushed +{:.0f}, popped +{:.0f}, data +{:.0f} to "
              "+{:.0f}, ran +{:.0f} to +{:.0f}",
              g.owner->what().name, g.owner->number, g.number + 1, g.owner->groups.size(), worker,
              static_cast<double>(zero.tv_sec % 1000) * 1e6 + static_cast<double>(zero.tv_nsec) * 1e-3,
              since(zero, p->push_end_time), since(zero, p->pop_end_time), since(zero, p->acquire_data_start_time),
              since(zero, p->acquire_data_end_time), since(zero, p->start_time), since(zero, p->end_time));
}

} // namespace skelrt::detail
