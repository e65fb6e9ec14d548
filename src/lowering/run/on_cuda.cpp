// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/cuda_faults.hpp"
#include "src/jit/lanes/cuda_queue.hpp"
#include "src/jit/timing/cuda_timer.hpp"
#include "src/jit/timing/kernel_span.hpp"
#include "src/lowering/checks/function_check.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/place/views.hpp"
#include "src/lowering/run/batch.hpp"
#include "src/lowering/run/make_tasks.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/lowering/summary/traced_task.hpp"
#include "src/runtime/order/polling.hpp"

#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/launch/launch_list.hpp"
#include "codelets/cuda/samples.hpp"
#include "codelets/index_fault.hpp"
#include "codelets/joined_segments.hpp"

#include <starpu_cuda.h>

#include <cstring>
#include <vector>

namespace skelrt::detail
{

namespace
{

std::byte* pointer(void* buffer) { return reinterpret_cast<std::byte*>(STARPU_VECTOR_GET_PTR(buffer)); }

cudaStream_t stream() { return static_cast<cudaStream_t>(kernel_stream()); }

/// For StarPU, the task ends when its kernels do.
void end_with_kernels() { follow_kernels(starpu_cuda_get_local_stream()); }

/// The result and the kernels' own scratch share one handle, the result first.
void launch_partial(submitted_call& c, task_group& g, work w, void* buffers[], cudaStream_t stream)
{
    std::byte* const scratch = pointer(buffers[g.scratch_handle]);
    const std::size_t bytes = c.partial_bytes();
    w.result = {scratch, 0, 1, c.result_values, c.result_values, 1};
    w.scratch = {scratch + (bytes + 255) / 256 * 256, 0, 1, 0, 0, 1};
    cuda::launch(w, stream);
    cuda::copy(c.partial(g.number), scratch, bytes, stream); // pinned: does not wait
}

/// The result itself, by a task that sees all elements.
void launch_result(const task_group& g, work w, void* buffers[], cudaStream_t stream)
{
    const slot_ref& to = g.result_refs[0];
    w.result = {pointer(buffers[to.handle]) + to.offset, 0, 1, g.owner->result_values, g.owner->result_values, 1};
    if (g.scratch_handle >= 0) w.scratch = {pointer(buffers[g.scratch_handle]), 0, 1, 0, 0, 1};
    cuda::launch(w, stream);
}

/// What functions add to, where it is; of several tiles brought together in scratch, and from there back.
void launch_added(const task_group& g, work w, void* buffers[], cudaStream_t stream)
{
    w.result.cols = g.owner->result_values;
    if (!g.owner->together) return cuda::launch(w, stream);
    std::byte* const together = pointer(buffers[g.scratch_handle]);
    const auto length = [&](std::uint32_t h) { return bytes_of_buffer(buffers[h]); };
    for_each_added_tile(g, length, [&](const slot_ref& tile, std::size_t at, std::size_t bytes) {
        cuda::copy(together + at, pointer(buffers[tile.handle]) + tile.offset, bytes, stream);
    });
    cuda::launch(w, stream);
    for_each_added_tile(g, length, [&](const slot_ref& tile, std::size_t at, std::size_t bytes) {
        cuda::copy(pointer(buffers[tile.handle]) + tile.offset, together + at, bytes, stream);
    });
}

void launch_elements(const task_group& g, work w, void* buffers[], cudaStream_t stream)
{
    if (g.scratch_handle >= 0) w.scratch = {pointer(buffers[g.scratch_handle]), 0, 1, 0, 0, 1};
    cuda::launch(w, stream);
}

/// Each segment's results lie in one tile; different segments' may not.
void launch_rows(submitted_call& c, task_group& g, const work& w, void* buffers[], cudaStream_t stream)
{
    const std::size_t slots = c.what().slots.size();
    for (std::size_t s = 0; s < g.count; ++s) {
        work one = w;
        one.segments = w.segments.subspan(s, 1);
        one.slots = w.slots.subspan(s * slots, slots);
        one.result = {
            pointer(buffers[g.result_refs[s].handle]) + g.result_refs[s].offset, 0, 1, one.segments[0].rows, 0, 1};
        if (g.scratch_handle >= 0) one.scratch = {pointer(buffers[g.scratch_handle]), 0, 1, 0, 0, 1};
        cuda::launch(one, stream);
    }
}

class sampled_cuda final : public sampled_device
{
public:
    explicit sampled_cuda(cudaStream_t stream) : stream_(stream) {}
    device kind() const override { return device::cuda; }
    device_pointer memory(std::size_t bytes) override { return {cuda::sample_memory(bytes), 0}; }
    std::size_t scratch_bytes(const work& w, std::size_t elements, std::size_t columns) override
    {
        return cuda::scratch_bytes(w.what, elements, columns, w.block);
    }
    void copy_rows(device_pointer to, device_pointer from, const sample_copy& c) override
    {
        cuda::copy_rows(to.data, from.data, c.row_bytes, c.rows, c.pitch, stream_);
    }
    void launch(const work& w) override { cuda::launch(w, stream_); }
    void read(void* to, device_pointer from, std::size_t bytes) override
    {
        cuda::copy_and_wait(to, from.data, bytes, stream_);
    }

private:
    cudaStream_t stream_;
};

/// A task that its device must not do: the host does it.
void run_instead(task_group& g, void* buffers[], cudaStream_t stream)
{
    require_other_device(g, device::cuda);
    host_copies copies(buffers, [&](void* to, std::size_t h, std::size_t bytes) {
        cuda::copy_and_wait(to, pointer(buffers[h]), bytes, stream);
    });
    copies.compute(g);
    copies.put_back([&](std::size_t h, const void* from, std::size_t bytes) {
        cuda::copy_and_wait(pointer(buffers[h]), from, bytes, stream);
    });
}

/// Functions are checked before they run here for the first time; not among listed launches.
bool may_run(const task_group& g, const work& w, cudaStream_t stream)
{
    const trust known = trust_in(w.what, device::cuda);
    if (known == trust::sound || cuda::current_list()) return true;
    sampled_cuda here(stream);
    return may_run_here(g, w, here);
}

/// All kernels of a task, or of a call in a batch.
void launch_group(task_group& g, void* buffers[], cudaStream_t kernels)
{
    submitted_call& c = *g.owner;
    if (std::exception_ptr what = c.operand_fault()) std::rethrow_exception(what);
    static thread_local std::vector<slot_view> views;
    static thread_local std::vector<hood_view> hoods;
    static thread_local joined_segments joined;
    const auto at = [&](std::uint32_t h) { return device_pointer{pointer(buffers[h]), 0}; };
    fill_views(g, at, false, views);
    fill_hoods(g, at, false, hoods);
    const bool adds = c.what().kind == skeleton::accumulate;
    if (adds && (!c.direct || c.together))
        place_accumulators(c.what(), at(static_cast<std::uint32_t>(g.scratch_handle)), false, views);
    work by_tiles = work_of(g, views, hoods);
    if (g.carry_handle >= 0) by_tiles.carry.data = pointer(buffers[g.carry_handle]);
    if (!may_run(g, by_tiles, kernels)) return run_instead(g, buffers, kernels);
    const work w = join_segments(by_tiles, joined);
    cuda_timer* timer = g.may_end_early ? nullptr : start_cuda_timer(kernels);
    if (has_result_slot(c.what().kind) && !c.partials.data) launch_elements(g, w, buffers, kernels);
    else if (c.what().kind == skeleton::reduce_rows) launch_rows(c, g, w, buffers, kernels);
    else if (c.direct && adds) launch_added(g, w, buffers, kernels);
    else if (c.direct) launch_result(g, w, buffers, kernels);
    else launch_partial(c, g, w, buffers, kernels);
    stop_cuda_timer(timer, kernels);
    if (timer) g.timer = timer; // else the submitting thread's line stays its own
}

/// Unless somebody looks, the submitting thread's line stays its own.
void note_begin(task_group& g) noexcept
{
    if (const std::uint64_t ns = traced_task::begins_kernels(g.owner->what().name); ns > 0) g.traced_ns = ns;
}

/// What goes wrong with one call concerns those that read its results, and they ask for themselves.
void launch_or_fail(task_group& g, void* buffers[], cudaStream_t kernels) noexcept
{
    note_cuda_call(g.owner->what().name.c_str());
    note_begin(g);
    try {
        launch_group(g, buffers, kernels);
    } catch (...) {
        g.owner->fail_here();
    }
}

/// Whether it is nothing but kernels: no copies, no events and no checks between them.
bool may_be_listed(const task_group& g)
{
    const trust known = trust_in(g.owner->what(), device::cuda);
    if (known == trust::unknown || known == trust::broken || checks_indices(g.owner->what())) return false;
    switch (g.owner->what().kind) {
    case skeleton::map:
    case skeleton::stencil:
        return g.may_end_early && g.owner->color < 0;
    case skeleton::reduce:
        return g.may_end_early && g.owner->direct;
    default:
        return false;
    }
}

void launch_batch(const batch& b, void* buffers[], cudaStream_t kernels)
{
    cuda::launch_list list(kernels);
    for (std::size_t i = 0; i < b.groups().size(); ++i) {
        task_group& g = *b.groups()[i];
        if (may_be_listed(g)) {
            const cuda::launch_list::scope scope(list, i);
            launch_or_fail(g, buffers, kernels);
        } else {
            list.flush();
            launch_or_fail(g, buffers, kernels);
        }
    }
    list.end();
    for (const auto& [call, why] : list.failures()) b.groups()[call]->owner->fail(why);
}

} // namespace

void run_on_cuda(void* buffers[], void* argument) noexcept
{
    note_busy_worker();
    auto& g = *static_cast<task_group*>(argument);
    submitted_call& c = *g.owner;
    note_begin(g);
    try {
        if (g.carry_handle >= 0 && c.fault()) return; // nothing to go on from
        note_cuda_call(c.what().name.c_str());
        const cudaStream_t kernels = stream();
        const traced_span span(g.span, kernels);
        launch_group(g, buffers, kernels);
        if (g.may_end_early) g.left = leave_running(c.what().name.c_str());
        if (!g.left) end_with_kernels();
    } catch (...) {
        c.fail_here();
        end_with_kernels();
    }
}

void run_batch_on_cuda(void* buffers[], void* argument) noexcept
{
    note_busy_worker();
    batch& b = *static_cast<batch*>(argument);
    try {
        const cudaStream_t kernels = stream();
        const traced_span span(b.span, kernels);
        launch_batch(b, buffers, kernels);
        b.left = leave_running(b.groups().back()->owner->what().name.c_str());
    } catch (...) { // the device is of no use any more
        for (task_group* g : b.groups()) g->owner->fail_here();
    }
    if (!b.left) end_with_kernels();
}

void copy_halo_on_cuda(void* buffers[], void* argument) noexcept
{
    const auto& h = *static_cast<const halo*>(argument);
    std::byte* to = pointer(buffers[0]);
    try {
        for (const halo::part& p : h.parts) {
            const std::size_t bytes = p.lines * h.line_bytes;
            if (p.buffer == halo::part::constant && !h.border_value) {
                // of a hood source: nobody reads it
            } else if (p.buffer == halo::part::constant) {
                std::vector<std::byte> filled(bytes); // copied before copy() returns: it is no pinned memory
                for (std::size_t i = 0; i < bytes; i += h.element_size)
                    std::memcpy(filled.data() + i, h.border_value, h.element_size);
                cuda::copy(to, filled.data(), bytes, stream());
            } else {
                cuda::copy(to, pointer(buffers[1 + p.buffer]) + p.offset, bytes, stream());
            }
            to += bytes;
        }
    } catch (...) {
        h.fail(std::current_exception());
    }
    end_with_kernels(); // some copies may be under way even if one could not begin
}

void gather_on_cuda(void* buffers[], void* argument) noexcept
{
    const auto& g = *static_cast<const gathering*>(argument);
    std::byte* to = pointer(buffers[0]);
    try {
        for (std::size_t t = 1; t <= g.tiles; ++t) {
            const std::size_t bytes = bytes_of_buffer(buffers[t]);
            cuda::copy(to, pointer(buffers[t]), bytes, stream());
            to += bytes;
        }
    } catch (...) {
        g.fail(std::current_exception());
    }
    end_with_kernels();
}

} // namespace skelrt::detail
