// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/tsan_order.hpp"
#include "src/runtime/cores/team.hpp"

#include <starpu.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

/// Small help with StarPU's tasks.
namespace skelrt::detail
{

class starpu_devices;
struct target;

/// Where a task lists its data.
struct handle_room {
    starpu_data_handle_t* handles;
    starpu_data_access_mode* modes;
};
/// For so many. More than StarPU's tasks have room for are on the heap, and go with the task.
inline handle_room room_for_handles(starpu_task& t, std::size_t n)
{
    t.nbuffers = static_cast<int>(n);
    if (n <= STARPU_NMAXBUFS) return {t.handles, t.modes};
    t.dyn_handles = static_cast<starpu_data_handle_t*>(std::malloc(n * sizeof *t.dyn_handles));
    t.dyn_modes = static_cast<starpu_data_access_mode*>(std::malloc(n * sizeof *t.dyn_modes));
    return {t.dyn_handles, t.dyn_modes};
}

/// What a task lists.
struct listed_handle {
    starpu_data_handle_t handle;
    starpu_data_access_mode mode;
};
inline void list_handles(starpu_task& t, std::span<const listed_handle> data)
{
    const auto [handles, modes] = room_for_handles(t, data.size());
    for (std::size_t i = 0; i < data.size(); ++i) handles[i] = data[i].handle, modes[i] = data[i].mode;
}

/// Of tasks that run nowhere: others wait for them.
starpu_codelet& nowhere_codelet();

/// On a core, the leading one if our policy has the say: the others may sleep. (StarPU's heteroprio takes each task
/// that leaves its place open for a new codelet, and bears a hundred.)
void leave_to_leader(starpu_task& t, const starpu_devices& devices);

/// StarPU's kinds of worker, of these.
std::int32_t workers_of(std::span<const target* const> targets);

/// On one of these, as the policy chooses. Where there is nothing to choose it is not asked: StarPU's modular-gemm
/// gives what only a GPU can do to nobody.
void leave_to_policy(starpu_task& t, std::span<const target* const> targets);

/// StarPU has not taken it.
inline void discard(starpu_task* t)
{
    t->destroy = 0;
    starpu_task_destroy(t);
}

/// As far as the policy has such; 0: as it is.
inline void set_priority(starpu_task& t, int priority)
{
    if (priority != 0) t.priority = std::clamp(priority, STARPU_MIN_PRIO, STARPU_MAX_PRIO);
}
/// More of it than others of the same item have: what other ranks wait for.
constexpr int others_wait = 1;

/// starpu_task_submit. `priority`: that of the item whose task it is.
inline int submit_task(starpu_task* t, int priority = 0)
{
    set_priority(*t, priority);
    comes_before(t);
    const int refused = starpu_task_submit(t);
    rouse_worker();
    return refused;
}

/// A task as StarPU puts it in order: after its submission, and after who had its data before.
class in_order
{
public:
    explicit in_order(void* buffers[])
    {
        if (!order_is_watched()) return;
        const starpu_task* const task = starpu_task_get_current();
        comes_after(task);
        data_ = {buffers, STARPU_TASK_GET_NBUFFERS(task)};
        for (const void* b : data_) comes_after(b);
    }
    ~in_order()
    {
        for (const void* b : data_) comes_before(b);
    }
    in_order(const in_order&) = delete;
    in_order& operator=(const in_order&) = delete;

private:
    std::span<void*> data_;
};

} // namespace skelrt::detail
