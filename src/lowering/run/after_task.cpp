// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/engine.hpp"
#include "src/lowering/place/moves.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/lowering/run/trace.hpp"
#include "src/lowering/summary/call_summary.hpp"
#include "src/lowering/summary/traced_task.hpp"
#include "src/model/knowledge.hpp"
#include "src/program/now_ns.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/timing/cuda_timer.hpp"
#include "src/jit/timing/kernel_span.hpp"
#endif

namespace skelrt::detail
{

namespace
{

[[maybe_unused]] void observe(const task_group& g, executor on, double us) noexcept
{
    const engine& e = *engine::current();
    const runner here{on, e.devices().type_of_worker(starpu_worker_get_id())};
    e.learnt.models.observe(g.owner->what(), here, g.elements, us);
}

void record_task(const task_group& g) noexcept
{
    const submitted_call& c = *g.owner;
    const std::uint64_t begin_ns = g.started_ns ? g.started_ns : g.traced_ns; // cores record their own
#if SKELRT_HAVE_CUDA
    if (g.span) {
        traced_task::ends_kernels();
        return record_kernels(g.span, {{traced_task::of(c.what().name, c.number, g.number, g.elements, begin_ns)}});
    }
#endif
    traced_task::ended(c.what().name, c.number, g.number, g.elements, begin_ns, g.left != nullptr);
}

} // namespace

void after_task(void* argument) noexcept
{
    auto& g = *static_cast<task_group*>(argument);
    submitted_call& c = *g.owner;
#if SKELRT_HAVE_CUDA
    if (g.timer) observe(g, executor::cuda, read_cuda_timer(static_cast<cuda_timer*>(g.timer)));
#endif
    if (g.started_ns) observe(g, executor::opencl, static_cast<double>(now_ns() - g.started_ns) * 1e-3);
    note_moves(g);
    trace_task(g);
    record_task(g);
    if (call_summary* const s = engine::current()->summary()) s->add_task(c.what().name, g.number == 0);
    if (c.copies.bytes > 0 && starpu_worker_get_id() != c.copies.worker) c.copies.bytes = 0; // a part went elsewhere
    if (c.copies.bytes > 0) c.copies.end_us = starpu_timing_now();
    c.task_done(std::move(g.left));
}

} // namespace skelrt::detail
