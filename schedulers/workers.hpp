// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/choose.hpp"

#include <starpu.h>
#include <starpu_scheduler.h>

#include <cstdint>
#include <span>
#include <vector>

/// What policies ask StarPU about workers and tasks.
namespace skelrt::schedulers
{

/// Workers that cost alike: the CPU cores of a memory node, or one GPU.
struct worker_group {
    starpu_worker_archtype kind;
    unsigned node;
    std::vector<int> workers;
};

/// The workers of a context, in groups. Changed while StarPU runs no task of the context.
class worker_groups
{
public:
    void add(std::span<const int> workers);
    void remove(std::span<const int> workers);

    const std::vector<worker_group>& all() const noexcept { return groups_; }

private:
    std::vector<worker_group> groups_;
};

/// Bits of the kinds of worker for which the task has code: what lanes want.
std::uint32_t kinds_of(const starpu_task& task) noexcept;
inline std::uint32_t kind_bit(starpu_worker_archtype kind) noexcept { return STARPU_WORKER_TO_MASK(kind); }

/// Whether the worker can run the task; the task then takes that worker's implementation.
bool can_run(int worker, starpu_task& task) noexcept;

/// Sleeping workers of these kinds look for tasks.
void wake_all(const worker_groups& groups, std::uint32_t kinds);

/// The first worker of the group that can run the task, and with which implementations, as bits; 0: nobody can.
unsigned first_able_worker(const worker_group& g, starpu_task& task, int& worker);

/// The same of the worker that is free first, as `best`. `load(worker, candidate&)` fills in busy_us and tasks.
template <class Load>
unsigned freest_worker(const worker_group& g, starpu_task& task, Load load, candidate& best)
{
    unsigned implementations = 0;
    for (int worker : g.workers) {
        // What a core can run, its neighbours can; only can_execute and a list of workers may differ.
        unsigned mask = 0;
        if (!starpu_worker_can_execute_task_impl(static_cast<unsigned>(worker), &task, &mask)) continue;
        candidate c{worker, 0, 0, 0, 0, 0};
        load(worker, c);
        const bool freer = c.busy_us != best.busy_us ? c.busy_us < best.busy_us : c.tasks < best.tasks;
        if (best.worker >= 0 && !freer) continue;
        best = c;
        implementations = mask;
    }
    return implementations;
}

/// By StarPU's models.
inline double expected_us(starpu_task& task, int worker, unsigned implementation)
{
    return starpu_task_worker_expected_length(&task, static_cast<unsigned>(worker), task.sched_ctx, implementation);
}

/// One candidate for each group and implementation that can run the task. Models and transfers are asked once a group,
/// however many cores it has. `pick(group, candidate&)` fills in who of the group, busy_us and tasks, and returns the
/// implementations as bits; `transfer_us(worker)` is the time that the task's data takes to there,
/// `length_us(worker, implementation)` what the task takes there.
template <class Pick, class Transfer, class Length>
void find_candidates(const worker_groups& groups, Pick pick, Transfer transfer_us, Length length_us,
                     std::vector<candidate>& found)
{
    found.clear();
    for (const worker_group& g : groups.all()) {
        candidate best{-1, 0, 0, 0, 0, 0};
        const unsigned implementations = pick(g, best);
        if (implementations == 0) continue;
        best.transfer_us = transfer_us(best.worker);
        for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; ++i) {
            if (!(implementations >> i & 1)) continue;
            best.implementation = i;
            best.length_us = length_us(best.worker, i);
            found.push_back(best);
        }
    }
}

} // namespace skelrt::schedulers
