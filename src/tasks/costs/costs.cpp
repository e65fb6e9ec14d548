// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/costs/costs.hpp"

#include "schedulers/tsan_order.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/plan/load_board.hpp"
#include "src/lowering/run/starpu_costs.hpp"
#include "src/model/knowledge.hpp"
#include "src/program/program.hpp"
#include "src/runtime/memory/small_array.hpp"
#include "src/tasks/costs/likely_times.hpp"
#include "src/tasks/task_record.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace skelrt::detail
{

namespace
{

constexpr double next_to_nothing_us = 1e-3; // 0 would mean "no model"
constexpr std::size_t few_targets = 8;

/// A task has one core.
runner runner_of_task(const target& t) noexcept
{
    return {t.kind == device::cpu ? executor::core : executor_of(t.kind), t.type};
}

const target& target_of_worker(int worker)
{
    const auto& all = engine::current()->devices().targets();
    return *std::ranges::find(all, worker, &target::worker);
}

/// On its only target: models need not be asked.
double us_without_choice(const task_record& t) noexcept { return std::max(t.what->last_us(), next_to_nothing_us); }

/// What a task's targets take, in their order.
class times_of_targets
{
public:
    explicit times_of_targets(const task_record& t) : task_(t), times_(t.costs.size())
    {
        for (std::size_t k = 0; k < times_.size(); ++k) {
            times_[k] = {};
            const auto known = t.what->measured(runner_of_task(target_at(k)), t.work);
            if (!known) continue;
            times_[k].measured_us = std::max(known->at(static_cast<std::size_t>(t.work)), next_to_nothing_us);
            times_[k].runs = known->runs;
        }
        if (!std::ranges::all_of(all(), &device_time::sure)) guess();
    }

    double us(std::size_t k) const { return likely_us(all(), k); }
    std::optional<trial> worth_trying() const { return cheapest_trial(all()); }
    const target& target_at(std::size_t k) const { return target_of_worker(task_.costs[k].worker); }

private:
    std::span<const device_time> all() const { return {times_.data(), times_.size()}; }

    void guess()
    {
        const engine& e = *engine::current();
        const auto machine = e.learnt.models.machine();
        for (std::size_t k = 0; k < times_.size(); ++k) {
            const target& t = target_at(k);
            const unsigned cores = e.devices().cores();
            if (t.kind == device::cpu) {
                const device_peaks* const cpu = machine->any("cpu");
                times_[k].best_us = best_us_on_core(task_.size, cpu ? *cpu : assumed_cpu(cores), cores);
            } else {
                const char* const kind = name_of(executor_of(t.kind));
                const device_peaks* const gpu = machine->find(kind, t.number);
                times_[k].best_us = best_us_on_gpu(task_.size, gpu ? *gpu : assumed_device(kind, t.number));
                times_[k].way_us = task_.size.bytes / t.to_device;
            }
        }
    }

    const task_record& task_;
    small_array<device_time, few_targets> times_;
};

} // namespace

double expected_task_us(starpu_task* task, starpu_perfmodel_arch* arch, unsigned)
{
    const auto& t = *static_cast<const task_record*>(task->cl_arg);
    const starpu_perfmodel_device& on = arch->devices[0];
    const auto known = t.what->measured(runner_of(on.type, on.devid, executor::core), t.work);
    if (known) return std::max(known->at(static_cast<std::size_t>(t.work)), next_to_nothing_us);
    const times_of_targets times(t);
    for (std::size_t k = 0; k < t.costs.size(); ++k) {
        const target& at = times.target_at(k);
        const bool same_kind = starpu_worker_get_type(at.worker) == on.type;
        if (same_kind && (at.kind == device::cpu || at.number == on.devid)) return times.us(k);
    }
    return next_to_nothing_us; // StarPU asks for workers that may not have it, too
}

void rate_targets(void* record) noexcept
{
    comes_after(record);
    auto& t = *static_cast<task_record*>(record);
    if (t.costs.size() == 1) {
        t.costs[0].fixed_us = us_without_choice(t);
        return;
    }
    const times_of_targets times(t);
    for (std::size_t k = 0; k < t.costs.size(); ++k) t.costs[k].fixed_us = times.us(k);
    const auto trial = times.worth_trying();
    if (trial && t.what->trials().pay(trial->us)) t.costs[trial->which].fixed_us = next_to_nothing_us;
}

void note_load(engine& e, task_record& t)
{
    if (!program::has_others() || e.devices().policy_places()) return;
    auto& board = e.loads();
    const auto add = [&](const target& at, double us) {
        // It takes one core, and calls are said to take all of them.
        const double us_there = at.kind == device::cpu ? us / e.devices().cores() : us;
        board.add_task(at.index, *t.by, us_there, task_end::progress_of(t.end));
    };
    if (t.costs.size() == 1) return add(target_of_worker(t.costs[0].worker), us_without_choice(t));
    const times_of_targets times(t);
    const double now = starpu_timing_now();
    std::size_t likely = 0;
    double soonest_us = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < t.costs.size(); ++k) {
        const unsigned target = times.target_at(k).index;
        t.costs[k].free_us = now + board.calls_of_others(target, *t.by);
        const double end_us = board.of_all(target) + times.us(k);
        if (end_us < soonest_us) likely = k, soonest_us = end_us;
    }
    add(times.target_at(likely), times.us(likely));
}

} // namespace skelrt::detail
