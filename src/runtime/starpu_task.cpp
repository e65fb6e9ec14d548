// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/starpu_task.hpp"

#include "src/runtime/devices.hpp"

namespace skelrt::detail
{

starpu_codelet& nowhere_codelet()
{
    static starpu_codelet& cl = []() -> starpu_codelet& {
        auto& c = *new starpu_codelet; // StarPU keeps pointers to it
        starpu_codelet_init(&c);
        c.name = "gate";
        c.where = STARPU_NOWHERE;
        c.nbuffers = STARPU_VARIABLE_NBUFFERS;
        return c;
    }();
    return cl;
}

void leave_to_leader(starpu_task& t, const starpu_devices& devices)
{
    t.where = STARPU_CPU;
    if (devices.policy_places()) return;
    t.sched_data = const_cast<schedulers::placement_hint*>(&devices.targets().front().fixed); // policies only read it
}

std::int32_t workers_of(std::span<const target* const> targets)
{
    std::int32_t where = 0;
    for (const target* t : targets) {
        if (t->kind == device::cpu) where |= STARPU_CPU;
        if (t->kind == device::cuda) where |= STARPU_CUDA;
        if (t->kind == device::opencl) where |= STARPU_OPENCL;
    }
    return where;
}

void leave_to_policy(starpu_task& t, std::span<const target* const> targets)
{
    t.where = workers_of(targets);
    if (targets.size() > 1 || targets.front()->kind == device::cpu) return; // any core may do it
    t.execute_on_a_specific_worker = 1;
    t.workerid = static_cast<unsigned>(targets.front()->worker);
}

} // namespace skelrt::detail
