// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/workers.hpp"

#include "schedulers/mutex.hpp"

#include <algorithm>

namespace skelrt::schedulers
{

void worker_groups::add(std::span<const int> workers)
{
    for (int w : workers) {
        const starpu_worker_archtype kind = starpu_worker_get_type(w);
        const unsigned node = starpu_worker_get_memory_node(static_cast<unsigned>(w));
        const auto same = [&](const worker_group& g) { return g.kind == kind && g.node == node; };
        auto group = std::ranges::find_if(groups_, same);
        if (group == groups_.end()) group = groups_.insert(groups_.end(), worker_group{kind, node, {}});
        group->workers.push_back(w);
    }
}

void worker_groups::remove(std::span<const int> workers)
{
    for (worker_group& g : groups_)
        std::erase_if(g.workers, [&](int w) { return std::ranges::find(workers, w) != workers.end(); });
    std::erase_if(groups_, [](const worker_group& g) { return g.workers.empty(); });
}

std::uint32_t kinds_of(const starpu_task& task) noexcept
{
    return static_cast<std::uint32_t>(task.where >= 0 ? task.where : static_cast<std::int32_t>(task.cl->where));
}

bool can_run(int worker, starpu_task& task) noexcept
{
    unsigned implementation = 0;
    if (!starpu_worker_can_execute_task_first_impl(static_cast<unsigned>(worker), &task, &implementation)) return false;
    starpu_task_set_implementation(&task, implementation);
    return true;
}

unsigned first_able_worker(const worker_group& g, starpu_task& task, int& worker)
{
    unsigned implementations = 0;
    for (int w : g.workers)
        if (starpu_worker_can_execute_task_impl(static_cast<unsigned>(w), &task, &implementations)) {
            worker = w;
            return implementations;
        }
    return 0;
}

void wake_all(const worker_groups& groups, std::uint32_t kinds)
{
    for (const worker_group& g : groups.all())
        if (kinds & kind_bit(g.kind))
            for (int worker : g.workers) wake(worker);
}

} // namespace skelrt::schedulers
