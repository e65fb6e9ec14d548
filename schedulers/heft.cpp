// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/policies.hpp"
#include "schedulers/policy.hpp"
#include "schedulers/queues/worker_queue.hpp"
#include "schedulers/workers.hpp"

#include <array>
#include <vector>

/// Heterogeneous earliest finish time with task duration models, the policies of StarPU 0.9: a task goes where it ends
/// first, by the durations of what is there already and its own. -tmdp adds the time that its data takes to get there
/// (the "data penalty"), -pr sends for the data at once. Queues are first in, first out; there are no priorities.
namespace skelrt::schedulers
{

namespace
{

enum class copies : bool { ignored, counted };

template <copies Way, bool Prefetch>
class heft_policy
{
public:
    void add(std::span<const int> workers) { groups_.add(workers); }
    void remove(std::span<const int> workers) { groups_.remove(workers); }

    void push(starpu_task& task)
    {
        static thread_local std::vector<candidate> found;
        const double now = starpu_timing_now();
        const auto load = [&](int worker, candidate& c) {
            worker_queue& q = queues_[static_cast<std::size_t>(worker)];
            c.busy_us = q.busy_us(now);
            c.tasks = q.tasks();
        };
        const auto transfer_us = [&](int worker) {
            if (Way == copies::ignored) return 0.0;
            return starpu_task_expected_data_transfer_time_for(&task, static_cast<unsigned>(worker));
        };
        const auto pick = [&](const worker_group& g, candidate& best) { return freest_worker(g, task, load, best); };
        const auto length_us = [&](int worker, unsigned i) { return expected_us(task, worker, i); };
        find_candidates(groups_, pick, transfer_us, length_us, found);
        STARPU_ASSERT_MSG(!found.empty(), "no worker can run the task");
        const candidate& best = found[earliest_end(found)];
        starpu_task_set_implementation(&task, best.implementation);
        task.predicted = best.length_us;
        task.predicted_transfer = best.transfer_us;
        starpu_sched_task_break(&task);
        const int worker = best.worker;
        const double us = known_us(best.length_us) + known_us(best.transfer_us);
        if (Prefetch && starpu_get_prefetch_flag())
            starpu_prefetch_task_input_for(&task, static_cast<unsigned>(worker));
        queues_[static_cast<std::size_t>(worker)].push({&task, us});
        wake(worker);
    }

    starpu_task* pop(int worker) { return queues_[static_cast<std::size_t>(worker)].pop(worker); }

    void ended(starpu_task& task) { forget(queues_, task); }

private:
    worker_groups groups_;
    std::array<worker_queue, STARPU_NMAXWORKERS> queues_;
};

} // namespace

starpu_sched_policy& heft_tm()
{
    static auto policy = adapted<heft_policy<copies::ignored, false>>::make(
        "heft-tm", "earliest finish by task duration models (StarPU 0.9)", false);
    return policy;
}

starpu_sched_policy& heft_tm_pr()
{
    static auto policy = adapted<heft_policy<copies::ignored, true>>::make(
        "heft-tm-pr", "heft-tm that prefetches data (StarPU 0.9)", true);
    return policy;
}

starpu_sched_policy& heft_tmdp()
{
    static auto policy = adapted<heft_policy<copies::counted, false>>::make(
        "heft-tmdp", "heft-tm that counts the transfers of remote data (StarPU 0.9)", false);
    return policy;
}

starpu_sched_policy& heft_tmdp_pr()
{
    static auto policy = adapted<heft_policy<copies::counted, true>>::make(
        "heft-tmdp-pr", "heft-tmdp that prefetches data (StarPU 0.9)", true);
    return policy;
}

} // namespace skelrt::schedulers
