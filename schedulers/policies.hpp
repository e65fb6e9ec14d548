#pragma once

#include <starpu_scheduler.h>

#include <span>
#include <string_view>

/// The policies of this folder, by name.
namespace skelrt::schedulers
{

// One a file; each object lives as long as the code does.
starpu_sched_policy& skelrt_policy();
/// Called after that policy has queued a task of the program's own, which any core may get; null: nobody is. Cores may sleep deeply.
void call_for_own_tasks(void (*wake)() noexcept) noexcept;
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
