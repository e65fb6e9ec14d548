// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/run/make_tasks.hpp"

#include "src/lowering/registry.hpp"
#include "src/lowering/run/tasks.hpp"

#include <cstdlib>
#include <memory>

namespace skelrt::detail
{

namespace
{

/// All data of a task that has no scratch.
void set_handles(starpu_task& t, const std::vector<handle_use>& used)
{
    task_group none;
    set_handles(t, used, nullptr, none);
}

/// Reads all of these, writes that.
starpu_task* make_copy(starpu_codelet& how, starpu_data_handle_t to, const std::vector<starpu_data_handle_t>& from)
{
    starpu_task* const t = starpu_task_create();
    t->cl = &how;
    std::vector<handle_use> used{{to, false, true, 1, 1}};
    for (starpu_data_handle_t h : from) used.push_back({h, true, false, 0, 0});
    set_handles(*t, used);
    return t;
}

} // namespace

void set_handles(starpu_task& t, const std::vector<handle_use>& used, starpu_data_handle_t scratch, task_group& group)
{
    const std::size_t n = used.size() + (scratch ? 1 : 0);
    const auto [handles, modes] = room_for_handles(t, n);
    for (std::size_t i = 0; i < used.size(); ++i) {
        handles[i] = used[i].handle;
        modes[i] = used[i].mode();
    }
    if (scratch) {
        handles[n - 1] = scratch;
        modes[n - 1] = STARPU_SCRATCH;
        group.scratch_handle = static_cast<int>(n - 1);
    }
}

void send_to(starpu_task& t, const target* where, const std::vector<const target*>& targets)
{
    if (where) t.sched_data = const_cast<schedulers::placement_hint*>(&where->fixed); // policies only read it
    else leave_to_policy(t, targets);
}

starpu_task* make_halo_task(halo& h)
{
    starpu_task* const t = make_copy(halo_codelet(), h.to, h.from);
    t->cl_arg = &h;
    t->cl_arg_size = sizeof h;
    t->name = "halo";
    return t;
}

starpu_task* make_gather_task(managed_state& m)
{
    auto what = std::make_unique<gathering>(gathering{m.tile_count(), m.faults, m.healed});
    starpu_task* const t = make_copy(gather_codelet(), m.replica, m.tiles);
    t->cl_arg = what.release();
    t->cl_arg_size = sizeof(gathering);
    t->callback_func = [](void* g) { delete static_cast<gathering*>(g); };
    t->callback_arg = t->cl_arg;
    return t;
}

namespace
{

struct tile_copying {
    gathering what;
    submitted_calls::tile_copy copy;
};

void after_copy(void* argument) noexcept
{
    const std::unique_ptr<tile_copying> c(static_cast<tile_copying*>(argument));
    c->copy.done(c->copy.of);
}

} // namespace

starpu_task* make_copy_task(const submitted_calls::tile_copy& c)
{
    auto what = std::make_unique<tile_copying>(tile_copying{{1, c.faults, c.call}, c});
    starpu_task* const t = make_copy(gather_codelet(), c.to, {c.from});
    t->name = "copy";
    t->cl_arg = &what->what;
    t->cl_arg_size = sizeof(gathering);
    t->callback_func = &after_copy;
    t->callback_arg = what.release();
    return t;
}

starpu_task* make_combine_task(submitted_call& state)
{
    starpu_task* const t = starpu_task_create();
    t->cl = &combine_codelet();
    t->cl_arg = &state;
    t->cl_arg_size = sizeof(submitted_call*);
    t->name = state.what().name.c_str();
    std::vector<handle_use> used;
    const auto use = [&](managed_state& m, bool adds) {
        for (std::size_t i = 0; i < m.tile_count(); ++i)
            used.push_back({m.tiles[i], adds, true, m.tile_size(i), m.tile_size(i)});
    };
    if (state.result.data) use(manage(*state.result.data), false);
    for (std::size_t k = 0; k < state.operands.size(); ++k)
        if (state.what().slots[k].kind == slot_kind::accumulator) use(manage(*state.operands[k].data), true);
    set_handles(*t, used);
    t->callback_func = &after_combine;
    t->callback_arg = &state;
    return t;
}

} // namespace skelrt::detail
