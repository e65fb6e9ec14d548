#pragma once

#include <starpu_scheduler.h>

#include <span>
#include <string_view>

/// The policies of this folder, by name.
namespace skelrt::schedulers
{

// One a file; each object lives as long as the code does.
starpu_sched_policy& skelrt_policy();
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
