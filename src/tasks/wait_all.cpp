// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/release.hpp"
#include "src/program/program.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/lanes/cuda_queue.hpp"
#endif

#include <skelrt/task.hpp>

namespace skelrt
{

void wait_all()
{
    const detail::call_visit visit("sk::wait_all");
    detail::running& r = visit.runtime();
    r.order.flush();
    detail::program& mine = detail::program::current();
    mine.wait_for_own_calls(0);
    mine.wait_for_own_tasks();
#if SKELRT_HAVE_CUDA
    for (const detail::target& t : r.devices().targets()) // calls may have left kernels running
        if (t.kind == device::cuda) detail::wait_for_running(starpu_worker_get_devid(t.worker));
#endif
    r.order.note_wait(nullptr);
    detail::reap();
}

} // namespace skelrt
