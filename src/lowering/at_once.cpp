#include "src/lowering/at_once.hpp"

#include "src/data/tile_handle.hpp"
#include "src/lowering/episodes.hpp"
#include "src/lowering/tasks.hpp"

#include "codelets/small_array.hpp"

#include <starpu.h>

#include <algorithm>

namespace skelrt::detail
{

bool is_idle(const engine& e, long but_for_calls) noexcept
{
    return e.calls_in_flight == but_for_calls && starpu_task_nsubmitted() == 0;
}

bool run_at_once(task_group& g, std::span<const handle_use> used) noexcept
{
    constexpr std::size_t few = 16;
    const auto must_come = [](const handle_use& u) {
        return u.mode() != STARPU_W && !is_valid_on(u.handle, STARPU_MAIN_RAM);
    };
    if (std::ranges::any_of(used, must_come)) return false;
    small_array<void*, few> buffers(used.size());
    for (std::size_t i = 0; i < used.size(); ++i)
        buffers[i] = starpu_data_get_interface_on_node(used[i].handle, STARPU_MAIN_RAM);
    for (const handle_use& u : used)
        if (u.written) claim_for_host(u.handle, u.mode());
    if (!run_group(buffers.data(), g, &run_team_here)) return false;
    call_state& c = *g.owner;
    c.arrived.store(true, std::memory_order_release);
    if (c.of_split) engine::current()->program_episodes().cores_are_done();
    if (c.promise.us > 0) c.promise.end_us = starpu_timing_now();
    c.task_done();
    return true;
}

} // namespace skelrt::detail
