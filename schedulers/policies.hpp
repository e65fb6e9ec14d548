// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu_scheduler.h>

#include <span>
#include <string_view>

/// The policies of this folder, by name.
namespace skelrt::schedulers
{

// One a file; each object lives as long as the code does.
starpu_sched_policy& skelrt_policy();
/// Who keeps the cores, where single tasks share them with what the policy does not know of. Functions for the policy
/// to call:
struct core_keeper {
    /// The calling worker wants its core for single tasks, until leave(). False: others compute there; it is the next.
    bool (*take)(int worker) noexcept;
    /// The calling worker has no single task, and wants none. Cheap where it had none.
    void (*leave)(int worker) noexcept;
    /// So many tasks wait that any core may get, whose workers may be asleep.
    void (*wake)(int tasks) noexcept;
};
/// Null: nobody does. It must stay until no worker runs.
void set_core_keeper(const core_keeper* keeper) noexcept;
/// So many tasks of that policy has the calling worker begun.
unsigned tasks_begun_here() noexcept;
starpu_sched_policy& smpss();
starpu_sched_policy& heft_tm();
starpu_sched_policy& heft_tm_pr();
starpu_sched_policy& heft_tmdp();
starpu_sched_policy& heft_tmdp_pr();
starpu_sched_policy& static_device();

/// All of them; behind the last follows a null pointer, as StarPU wants it.
std::span<starpu_sched_policy*> all_policies();

/// Null: none of ours.
starpu_sched_policy* find_policy(std::string_view name);

} // namespace skelrt::schedulers
