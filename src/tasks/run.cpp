// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/run.hpp"

#include "src/lowering/engine.hpp"
#include "src/lowering/summary/call_summary.hpp"
#include "src/lowering/summary/traced_task.hpp"
#include "src/model/knowledge.hpp"
#include "src/program/now_ns.hpp"
#include "src/runtime/starpu_task.hpp"
#include "src/tasks/checks/out_parts.hpp"
#include "src/tasks/memory_of_parts.hpp"
#include "src/tasks/task_record.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/timing/cuda_timer.hpp"
#include "src/jit/timing/kernel_span.hpp"
#endif

#include <omp.h>
#include <starpu.h>

namespace skelrt::detail
{

namespace
{

void observe(const task_record& t, executor on, double us) noexcept
{
    const engine& e = *engine::current();
    t.what->note_us(us);
    const runner here{on, on == executor::core ? nullptr : e.devices().type_of_worker(starpu_worker_get_id())};
    e.learnt.models.observe(t.what->model(), here, static_cast<std::size_t>(t.work), us);
}

/// The task has this core; OpenMP regions in it would take others'.
void use_one_core() noexcept
{
    thread_local bool told = false;
    if (std::exchange(told, true)) return;
    omp_set_num_threads(1);
}

/// Where results are that could have come to lie elsewhere.
void note_places(const task_record& t) noexcept
{
    const unsigned node = starpu_worker_get_memory_node(static_cast<unsigned>(starpu_worker_get_id()));
    for (const auto& [moved, version] : t.movable) moved->add({0, version, ~node_mask{0}, node_mask{1} << node});
}

void record_task(const task_record& t) noexcept
{
    const std::uint64_t begin_ns = t.started_ns ? t.started_ns : t.traced_ns; // cores record their own
#if SKELRT_HAVE_CUDA
    if (t.span) {
        traced_task::ends_kernels();
        return record_kernels(t.span, {{traced_task::of(t.what->name(), t.number, 0, 0, begin_ns)}});
    }
#endif
    traced_task::ended(t.what->name(), t.number, 0, 0, begin_ns, t.left != nullptr);
}

} // namespace

void run_task_on_cpu(void* buffers[], void* record) noexcept
{
    const in_order order(buffers);
    auto& t = *static_cast<task_record*>(record);
    comes_after(t.end.get());
    const traced_task traced(t.what->name(), t.number, 0, 0);
    use_one_core();
    try {
        t.check_may_run();
        const memory_of_parts parts(t, buffers, device::cpu);
        host_access memory;
        fill_out_parts(t, parts, memory);
        const std::uint64_t begin = t.what->is_to_be_timed(device::cpu) ? now_ns() : 0;
        {
            const in_user_code mark;
            t.body->run({.kind = device::cpu, .parts = parts.data()});
        }
        if (begin > 0) observe(t, executor::core, static_cast<double>(now_ns() - begin) * 1e-3);
        require_written(t, parts, memory);
    } catch (...) {
        t.fail_here();
    }
    comes_before(t.end.get());
}

void after_task_ran(void* record) noexcept
{
    auto& t = *static_cast<task_record*>(record);
#if SKELRT_HAVE_CUDA
    if (t.timer) observe(t, executor::cuda, read_cuda_timer(static_cast<cuda_timer*>(t.timer)));
#endif
    if (t.started_ns) observe(t, executor::opencl, static_cast<double>(now_ns() - t.started_ns) * 1e-3);
    note_places(t);
    record_task(t);
    if (call_summary* const s = engine::current()->summary()) s->add_task(t.what->name(), true);
    t.drop(std::move(t.left));
}

void run_private_value(void* buffers[], void* argument) noexcept
{
    const in_order order(buffers);
    const auto& v = *static_cast<const private_value*>(argument);
    if (v.owner->end->has_fault()) return; // the total's readers have been told
    try {
        const in_user_code mark;
        const part_memory total = memory_of(v.total, buffers + 1, device::cpu);
        v.combine(total.data, view_of_buffer(buffers[0], false).data);
    } catch (...) {
        v.owner->fail_here();
    }
}

void after_private_value(void* argument) noexcept { static_cast<private_value*>(argument)->owner->drop(); }

} // namespace skelrt::detail
