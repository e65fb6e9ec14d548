#include "src/lowering/make_tasks.hpp"

#include "src/lowering/registry.hpp"
#include "src/lowering/tasks.hpp"

#include <cstdlib>

namespace skelrt::detail
{

namespace
{

std::int32_t workers_of(const std::vector<const target*>& targets)
{
    std::int32_t where = 0;
    for (const target* t : targets) {
        if (t->kind == device::cpu) where |= STARPU_CPU;
        if (t->kind == device::cuda) where |= STARPU_CUDA;
        if (t->kind == device::opencl) where |= STARPU_OPENCL;
    }
    return where;
}

/// All data of a task that has no scratch.
void set_handles(starpu_task& t, const std::vector<handle_use>& used)
{
    task_group none;
    set_handles(t, used, nullptr, none);
}

} // namespace

void set_handles(starpu_task& t, const std::vector<handle_use>& used, starpu_data_handle_t scratch, task_group& group)
{
    const std::size_t n = used.size() + (scratch ? 1 : 0);
    t.nbuffers = static_cast<int>(n);
    starpu_data_handle_t* handles = t.handles;
    starpu_data_access_mode* modes = t.modes;
    if (n > STARPU_NMAXBUFS) { // StarPU frees them with the task
        handles = t.dyn_handles = static_cast<starpu_data_handle_t*>(std::malloc(n * sizeof *handles));
        modes = t.dyn_modes = static_cast<starpu_data_access_mode*>(std::malloc(n * sizeof *modes));
    }
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
    else t.where = workers_of(targets);
}

void discard(starpu_task* t)
{
    t->destroy = 0;
    starpu_task_destroy(t);
}

starpu_task* make_halo_task(halo& h)
{
    starpu_task* const t = starpu_task_create();
    t->cl = &halo_codelet();
    t->cl_arg = &h;
    t->cl_arg_size = sizeof h;
    t->name = "halo";
    std::vector<handle_use> used{{h.to, false, true, 1, 1}};
    for (starpu_data_handle_t from : h.from) used.push_back({from, true, false, 0, 0});
    set_handles(*t, used);
    return t;
}

starpu_task* make_gather_task(managed_state& m)
{
    starpu_task* const t = starpu_task_create();
    t->cl = &gather_codelet();
    t->cl_arg = reinterpret_cast<void*>(m.tile_count());
    t->cl_arg_size = sizeof(void*);
    std::vector<handle_use> used{{m.replica, false, true, 1, 1}};
    for (starpu_data_handle_t h : m.tiles) used.push_back({h, true, false, 0, 0});
    set_handles(*t, used);
    return t;
}

starpu_task* make_combine_task(call_state& state)
{
    starpu_task* const t = starpu_task_create();
    t->cl = &combine_codelet();
    t->cl_arg = &state;
    t->cl_arg_size = sizeof(call_state*);
    t->name = state.what().name.c_str();
    managed_state& m = manage(*state.result.data);
    const bool adds = state.what().kind == skeleton::accumulate;
    std::vector<handle_use> used;
    for (std::size_t i = 0; i < m.tile_count(); ++i)
        used.push_back({m.tiles[i], adds, true, m.tile_size(i), m.tile_size(i)});
    set_handles(*t, used);
    t->callback_func = &after_combine;
    t->callback_arg = &state;
    return t;
}

} // namespace skelrt::detail
