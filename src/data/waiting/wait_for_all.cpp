// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/waiting/wait_for_all.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/lanes/cuda_queue.hpp"
#endif
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/running.hpp"
#include "src/trace/timeline.hpp"

namespace skelrt::detail
{

void wait_for_all_tasks(running& r) noexcept
{
    static const std::string name = "wait for all tasks";
    const traced_time traced(traced::wait, &name);
    r.order.flush_all();
    const falls_asleep away;
    starpu_task_wait_for_all();
#if SKELRT_HAVE_CUDA
    for (const target& t : r.devices().targets()) // tasks may have left kernels running
        if (t.kind == device::cuda) wait_for_running(starpu_worker_get_devid(t.worker));
#endif
}

} // namespace skelrt::detail
