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

} // namespace skelrt::detail
