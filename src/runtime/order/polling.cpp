// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/order/polling.hpp"

#include "src/runtime/cores/team.hpp"
#include "src/runtime/order/when_over.hpp"

#include <starpu.h>

#include <sched.h>

namespace skelrt::detail
{

namespace
{

unsigned on_idle(void*)
{
    idle_worker();
    return 1;
}

/// Rounds of polling since the worker had something to do.
thread_local unsigned idle_rounds = 0;
/// Some tens of microseconds: tasks in a row are no further apart.
constexpr unsigned patience_rounds = 64;

/// GPU and OpenCL workers poll, too: they look for the ends of kernels. In between PoCL's threads and the user's have
/// the core.
unsigned on_progress(void*)
{
    const int worker = starpu_worker_get_id();
    if (worker < 0 || starpu_worker_get_type(worker) == STARPU_CPU_WORKER) return 1;
    call_those_over();
    if (idle_rounds < patience_rounds) ++idle_rounds;
    else sched_yield();
    return 1;
}

} // namespace

polite_workers::polite_workers()
    : idle_hook_(starpu_idle_hook_register(&on_idle, nullptr)),
      progression_hook_(starpu_progression_hook_register(&on_progress, nullptr))
{
}

polite_workers::~polite_workers()
{
    starpu_idle_hook_deregister(idle_hook_);
    starpu_progression_hook_deregister(progression_hook_);
    wake_workers(); // the runtime's end waits for them
}

void note_busy_worker() noexcept { idle_rounds = 0; }

} // namespace skelrt::detail
