// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/policies.hpp"
#include "schedulers/policy.hpp"
#include "schedulers/queues/worker_queue.hpp"
#include "schedulers/workers.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

/// Everything on one kind of device, as a program without models would have it: SKELRT_STATIC_DEVICE says which, else
/// the GPUs if there are any that can run the task. What the kind cannot run goes to one that can. Within the kind, the
/// worker with the fewest tasks.
namespace skelrt::schedulers
{

namespace
{

/// What the environment asks for; the runtime complains of values that make no sense.
std::optional<starpu_worker_archtype> wanted_kind()
{
    const char* text = std::getenv("SKELRT_STATIC_DEVICE");
    const std::string_view name = text ? text : "";
    if (name == "cpu") return STARPU_CPU_WORKER;
    if (name == "cuda") return STARPU_CUDA_WORKER;
    if (name == "opencl") return STARPU_OPENCL_WORKER;
    return {};
}

class static_device_policy
{
public:
    void add(std::span<const int> workers)
    {
        groups_.add(workers);
        order();
    }
    void remove(std::span<const int> workers)
    {
        groups_.remove(workers);
        order();
    }

    void push(starpu_task& task)
    {
        const int worker = choose(task);
        STARPU_ASSERT_MSG(worker >= 0, "no worker can run the task");
        static_cast<void>(can_run(worker, task)); // takes the worker's implementation
        starpu_sched_task_break(&task);
        if (starpu_get_prefetch_flag()) starpu_prefetch_task_input_for(&task, static_cast<unsigned>(worker));
        queues_[static_cast<std::size_t>(worker)].push({&task, 0});
        wake(worker);
    }

    starpu_task* pop(int worker) { return queues_[static_cast<std::size_t>(worker)].pop(worker); }

    void ended(starpu_task& task) { forget(queues_, task); }

private:
    void order()
    {
        order_ = groups_.all();
        std::ranges::stable_sort(order_, {}, [&](const worker_group& g) { return rank(g.kind); });
    }

    /// Kinds in the order in which they are tried.
    unsigned rank(starpu_worker_archtype kind) const
    {
        if (wanted_) return kind == *wanted_ ? 0 : kind == STARPU_CPU_WORKER ? 1 : 2;
        return kind == STARPU_CPU_WORKER ? 1 : 0;
    }

    /// The least busy worker of the first kind that can run it; -1: nobody can.
    int choose(starpu_task& task)
    {
        int best = -1;
        std::size_t fewest = 0;
        unsigned best_rank = 0;
        for (const worker_group& g : order_) {
            if (best >= 0 && rank(g.kind) > best_rank) break;
            for (int worker : g.workers) {
                unsigned implementation = 0;
                if (!starpu_worker_can_execute_task_first_impl(static_cast<unsigned>(worker), &task, &implementation))
                    continue;
                const std::size_t tasks = queues_[static_cast<std::size_t>(worker)].tasks();
                if (best >= 0 && tasks >= fewest) continue;
                best = worker;
                fewest = tasks;
                best_rank = rank(g.kind);
            }
        }
        return best;
    }

    const std::optional<starpu_worker_archtype> wanted_ = wanted_kind();
    worker_groups groups_;
    std::vector<worker_group> order_; ///< the kind that is wanted first
    std::array<worker_queue, STARPU_NMAXWORKERS> queues_;
};

} // namespace

starpu_sched_policy& static_device()
{
    static auto policy = adapted<static_device_policy>::make(
        "static-device", "everything on one kind of device: SKELRT_STATIC_DEVICE, else GPUs", true);
    return policy;
}

} // namespace skelrt::schedulers
