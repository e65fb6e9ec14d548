// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/run/starpu_costs.hpp"

#include "src/lowering/engine.hpp"
#include "src/lowering/run/submitted_call.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/times/simulated_models.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skelrt::detail
{

runner runner_of(starpu_worker_archtype kind, int number, executor on_cores)
{
    const starpu_devices& devices = engine::current()->devices();
    if (kind == STARPU_CUDA_WORKER) return {executor::cuda, devices.type_of(device::cuda, number)};
    if (kind == STARPU_OPENCL_WORKER) return {executor::opencl, devices.type_of(device::opencl, number)};
    return on_cores;
}

namespace
{

constexpr double next_to_nothing_us = 1e-3; // 0 would mean "no model"

executor on_cores(const task_group& g) { return g.team ? executor::team : executor::core; }

estimate cost_of(const task_group& g, const runner& who)
{
    const call_site& site = g.owner->site();
    return engine::current()->learnt.models.predict(site.what, who, g.elements, site.core.near(g.elements),
                                                    engine::current()->devices().cores());
}

/// What the call takes on the best of the other kinds that may run its tasks, all of that kind together, as their first
/// one does; infinite without one.
double call_elsewhere_us(const starpu_task& task, const task_group& g, starpu_worker_archtype kind)
{
    const auto allowed =
        static_cast<std::uint32_t>(task.where >= 0 ? task.where : static_cast<std::int32_t>(task.cl->where));
    double best = std::numeric_limits<double>::infinity();
    for (const starpu_worker_archtype other : {STARPU_CPU_WORKER, STARPU_CUDA_WORKER, STARPU_OPENCL_WORKER}) {
        const unsigned workers = starpu_worker_get_count_by_type(other);
        if (other == kind || workers == 0 || !(allowed & STARPU_WORKER_TO_MASK(other))) continue;
        const double us = cost_of(g, runner_of(other, 0, on_cores(g))).at(g.elements);
        best = std::min(best, us * static_cast<double>(g.owner->groups.size()) / workers);
    }
    return best;
}

bool shall_be_tried(const starpu_task& task, const task_group& g, const starpu_perfmodel_device& on, double us)
{
    if (&g != &g.owner->groups.back() || !engine::current()->devices().policy_places()) return false;
    const double call_us = call_elsewhere_us(task, g, on.type);
    return std::isfinite(call_us) &&
           engine::current()->learnt.models.is_worth_a_try(g.owner->what(), runner_of(on.type, on.devid, on_cores(g)),
                                                           g.owner->number, us - call_us, call_us);
}

} // namespace

/// For StarPU, which knows no exceptions.
double expected_us(starpu_task* task, starpu_perfmodel_arch* arch, unsigned)
try {
    const auto& g = *static_cast<const task_group*>(task->cl_arg);
    const starpu_perfmodel_device& on = arch->devices[0];
    const estimate cost = cost_of(g, runner_of(on.type, on.devid, on_cores(g)));
    const double us = cost.at(g.elements);
    if constexpr (simulated) tell_guess(g.owner->what(), cost);
    else if (cost.stale >= long_idle && shall_be_tried(*task, g, on, us)) return next_to_nothing_us;
    return std::max(us, next_to_nothing_us);
} catch (const std::bad_alloc&) {
    return next_to_nothing_us;
}

} // namespace skelrt::detail
