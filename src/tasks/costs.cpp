#include "src/tasks/costs.hpp"

#include "schedulers/tsan_order.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/run/starpu_costs.hpp"
#include "src/model/knowledge.hpp"
#include "src/tasks/task_record.hpp"

#include <algorithm>
#include <optional>

namespace skelrt::detail
{

namespace
{

constexpr double next_to_nothing_us = 1e-3; // 0 would mean "no model"

/// A task has one core.
executor executor_of_task(device kind) noexcept { return kind == device::cpu ? executor::core : executor_of(kind); }

const target& target_of_worker(int worker)
{
    const auto& all = engine::current()->devices().targets();
    return *std::ranges::find(all, worker, &target::worker);
}

} // namespace

double expected_task_us(starpu_task* task, starpu_perfmodel_arch* arch, unsigned)
{
    const auto& t = *static_cast<const task_record*>(task->cl_arg);
    const starpu_perfmodel_device& on = arch->devices[0];
    return std::max(t.what->measured_us(runner_of(on.type, on.devid, executor::core), t.work).value_or(0),
                    next_to_nothing_us);
}

/// Kinds that were never measured get a few tasks, as if these took no time there. As long as nobody knows more, others
/// count as like the slowest that is known.
void rate_targets(void* record) noexcept
{
    comes_after(record);
    auto& t = *static_cast<task_record*>(record);
    if (t.costs.size() == 1) {
        t.costs[0].fixed_us = std::max(t.what->last_us(), next_to_nothing_us);
        return;
    }
    double slowest = next_to_nothing_us;
    constexpr double unknown = -1;
    for (schedulers::worker_cost& c : t.costs) {
        const target& where = target_of_worker(c.worker);
        const auto known = t.what->measured_us({executor_of_task(where.kind), where.type}, t.work);
        c.fixed_us = known                         ? std::max(*known, next_to_nothing_us)
                     : t.what->may_try(where.kind) ? next_to_nothing_us
                                                   : unknown;
        slowest = std::max(slowest, c.fixed_us);
    }
    for (schedulers::worker_cost& c : t.costs)
        if (c.fixed_us == unknown) c.fixed_us = slowest;
}

} // namespace skelrt::detail
