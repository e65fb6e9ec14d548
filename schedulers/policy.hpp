// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/tsan_order.hpp"

#include <starpu.h>
#include <starpu_scheduler.h>

#include <climits>
#include <span>

namespace skelrt::schedulers
{

/// A class as a StarPU policy. One object a context; StarPU calls it from any thread, several at once:
///   void add(std::span<const int> workers), remove(...)   before tasks come
///   void push(starpu_task&)                                a task is ready; lets go of it by starpu_push_task_end
///   starpu_task* pop(int worker)                           the next task of the calling worker, or null
/// and, if it has them, starting(task) once the task's data is there, ended(task), and given(worker) when a worker has
/// a task that StarPU gives to it without asking the policy.
template <class Policy>
class adapted
{
public:
    /// `prefetches`: the policy fetches data itself, StarPU shall not.
    static starpu_sched_policy make(const char* name, const char* description, bool prefetches)
    {
        starpu_sched_policy p{};
        p.init_sched = [](unsigned context) {
            starpu_sched_ctx_set_policy_data(context, new Policy);
            // Without limits StarPU tells programs that there are no priorities.
            if (!starpu_sched_ctx_min_priority_is_set(context)) starpu_sched_ctx_set_min_priority(context, INT_MIN);
            if (!starpu_sched_ctx_max_priority_is_set(context)) starpu_sched_ctx_set_max_priority(context, INT_MAX);
        };
        p.deinit_sched = [](unsigned context) { delete &of(context); };
        p.add_workers = [](unsigned context, int* workers, unsigned n) {
            of(context).add(std::span<const int>(workers, n));
            for (unsigned i = 0; i < n; ++i)
                starpu_sched_ctx_worker_shares_tasks_lists(workers[i], static_cast<int>(context));
        };
        p.remove_workers = [](unsigned context, int* workers, unsigned n) {
            of(context).remove(std::span<const int>(workers, n));
        };
        p.push_task = [](starpu_task* task) {
            detail::comes_after(task);
            of(task->sched_ctx).push(*task);
            return 0;
        };
        p.pop_task = [](unsigned context) { return of(context).pop(starpu_worker_get_id()); };
        if constexpr (requires(Policy & x, starpu_task & t) { x.starting(t); })
            p.pre_exec_hook = [](starpu_task* task, unsigned context) { of(context).starting(*task); };
        if constexpr (requires(Policy & x, starpu_task & t) { x.ended(t); })
            p.post_exec_hook = [](starpu_task* task, unsigned context) { of(context).ended(*task); };
        if constexpr (requires(Policy & x) { x.given(0); })
            p.push_task_notify = [](starpu_task*, int worker, int, unsigned context) { of(context).given(worker); };
        p.prefetches = prefetches;
        p.policy_name = name;
        p.policy_description = description;
        p.worker_type = STARPU_WORKER_LIST;
        return p;
    }

private:
    static Policy& of(unsigned context) { return *static_cast<Policy*>(starpu_sched_ctx_get_policy_data(context)); }
};

} // namespace skelrt::schedulers
