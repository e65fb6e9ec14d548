// SPDX-License-Identifier: BSD-3-Clause
// Longest tasks first, by whoever is free: a library for STARPU_SCHED_LIB.
#include <starpu.h>
#include <starpu_scheduler.h>

#include <cstring>
#include <functional>
#include <map>
#include <mutex>

namespace
{

struct longest_first {
    std::mutex guard;
    std::multimap<double, starpu_task*, std::greater<>> ready; // by the microseconds that they take
};

longest_first& of(unsigned context) { return *static_cast<longest_first*>(starpu_sched_ctx_get_policy_data(context)); }

std::unique_lock<std::mutex> lock(longest_first& policy)
{
    starpu_worker_relax_on(); // while this worker waits, others may look at it
    std::unique_lock held(policy.guard);
    starpu_worker_relax_off();
    return held;
}

// A task is ready to run. Called by the program's threads and by workers, several at once.
int push(starpu_task* task)
{
    longest_first& policy = of(task->sched_ctx);
    const double us = starpu_task_expected_length_average(task, task->sched_ctx); // skelrt's models answer
    const auto held = lock(policy);
    policy.ready.emplace(us > 0 ? us : 0, task);
    starpu_push_task_end(task); // from here on a worker may take it
    return 0;
}

// The calling worker has nothing to do: a task that it can run, or null.
starpu_task* pop(unsigned context)
{
    longest_first& policy = of(context);
    const auto held = lock(policy);
    for (auto at = policy.ready.begin(); at != policy.ready.end(); ++at) {
        starpu_task* task = at->second;
        unsigned implementation = 0;
        if (!starpu_worker_can_execute_task_first_impl(starpu_worker_get_id(), task, &implementation)) continue;
        starpu_task_set_implementation(task, implementation);
        policy.ready.erase(at);
        return task;
    }
    return nullptr;
}

} // namespace

extern "C" starpu_sched_policy* starpu_get_sched_lib_policy(const char* name)
{
    static starpu_sched_policy policy{};
    policy.policy_name = "longest-first";
    policy.init_sched = [](unsigned context) { starpu_sched_ctx_set_policy_data(context, new longest_first); };
    policy.deinit_sched = [](unsigned context) { delete &of(context); };
    policy.push_task = push;
    policy.pop_task = pop;
    policy.worker_type = STARPU_WORKER_LIST;
    return std::strcmp(name, policy.policy_name) == 0 ? &policy : nullptr;
}
