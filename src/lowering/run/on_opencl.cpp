// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/opencl.hpp"

#include "src/lowering/checks/function_check.hpp"
#include "src/lowering/place/views.hpp"
#include "src/lowering/run/make_tasks.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/lowering/summary/traced_task.hpp"
#include "src/program/now_ns.hpp"

#include <starpu_opencl.h>

#include <cstring>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// The calling worker's OpenCL objects.
struct opencl_worker {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;

    opencl_worker()
    {
        const int number = starpu_worker_get_devid(starpu_worker_get_id_check());
        starpu_opencl_get_context(number, &context);
        starpu_opencl_get_device(number, &device);
        starpu_opencl_get_queue(number, &queue);
    }
};

device_pointer memory_of(void* buffer)
{
    return {reinterpret_cast<void*>(STARPU_VECTOR_GET_DEV_HANDLE(buffer)), STARPU_VECTOR_GET_OFFSET(buffer)};
}

void launch_partial(submitted_call& c, task_group& g, work w, void* buffers[], const opencl_worker& on)
{
    const device_pointer scratch = memory_of(buffers[g.scratch_handle]);
    const std::size_t bytes = c.partial_bytes();
    w.result = {scratch.data, scratch.offset, 1, c.result_values, c.result_values, 1};
    w.scratch = {scratch.data, scratch.offset + (bytes + 255) / 256 * 256, 1, 0, 0, 1};
    opencl::launch(w, on.context, on.device, on.queue);
    opencl::read(c.partial(g.number), static_cast<cl_mem>(scratch.data), scratch.offset, bytes, on.queue);
}

/// The result itself, by a task that sees all elements.
void launch_result(const task_group& g, work w, void* buffers[], const opencl_worker& on)
{
    const slot_ref& ref = g.result_refs[0];
    const device_pointer to = memory_of(buffers[ref.handle]);
    w.result = {to.data, to.offset + ref.offset, 1, g.owner->result_values, g.owner->result_values, 1};
    if (g.scratch_handle >= 0) {
        const device_pointer scratch = memory_of(buffers[g.scratch_handle]);
        w.scratch = {scratch.data, scratch.offset, 1, 0, 0, 1};
    }
    opencl::launch(w, on.context, on.device, on.queue);
}

/// What functions add to, where it is; of several tiles brought together in scratch, and from there back. The kernels'
/// own scratch is behind that.
void launch_added(const task_group& g, work w, void* buffers[], const opencl_worker& on)
{
    w.result.cols = g.owner->result_values;
    const bool copied = g.owner->together;
    const std::size_t bytes = copied ? g.owner->partial_bytes() : 0;
    device_pointer scratch{};
    if (g.scratch_handle >= 0) {
        scratch = memory_of(buffers[g.scratch_handle]);
        w.scratch = {scratch.data, scratch.offset + (bytes + 255) / 256 * 256, 1, 0, 0, 1};
    }
    if (!copied) return opencl::launch(w, on.context, on.device, on.queue);
    const auto together = static_cast<cl_mem>(scratch.data);
    const auto length = [&](std::uint32_t h) { return bytes_of_buffer(buffers[h]); };
    for_each_added_tile(g, length, [&](const slot_ref& tile, std::size_t at, std::size_t n) {
        const device_pointer from = memory_of(buffers[tile.handle]);
        opencl::copy(together, scratch.offset + at, static_cast<cl_mem>(from.data), from.offset + tile.offset, n,
                     on.queue);
    });
    opencl::launch(w, on.context, on.device, on.queue);
    for_each_added_tile(g, length, [&](const slot_ref& tile, std::size_t at, std::size_t n) {
        const device_pointer to = memory_of(buffers[tile.handle]);
        opencl::copy(static_cast<cl_mem>(to.data), to.offset + tile.offset, together, scratch.offset + at, n, on.queue);
    });
}

void launch_elements(const task_group& g, work w, void* buffers[], const opencl_worker& on)
{
    if (g.scratch_handle >= 0) {
        const device_pointer scratch = memory_of(buffers[g.scratch_handle]);
        w.scratch = {scratch.data, scratch.offset, 1, 0, 0, 1};
    }
    opencl::launch(w, on.context, on.device, on.queue);
}

/// Each segment's results lie in one tile; different segments' may not.
void launch_rows(submitted_call& c, task_group& g, const work& w, void* buffers[], const opencl_worker& on)
{
    const std::size_t slots = c.what().slots.size();
    for (std::size_t s = 0; s < g.count; ++s) {
        work one = w;
        one.segments = w.segments.subspan(s, 1);
        one.slots = w.slots.subspan(s * slots, slots);
        const device_pointer to = memory_of(buffers[g.result_refs[s].handle]);
        one.result = {to.data, to.offset + g.result_refs[s].offset, 1, one.segments[0].rows, 0, 1};
        if (g.scratch_handle >= 0) {
            const device_pointer scratch = memory_of(buffers[g.scratch_handle]);
            one.scratch = {scratch.data, scratch.offset, 1, 0, 0, 1};
        }
        opencl::launch(one, on.context, on.device, on.queue);
    }
}

class sampled_opencl final : public sampled_device
{
public:
    explicit sampled_opencl(const opencl_worker& on) : on_(on) {}
    device kind() const override { return device::opencl; }
    device_pointer memory(std::size_t bytes) override { return {opencl::sample_memory(on_.context, bytes), 0}; }
    std::size_t scratch_bytes(const work& w, std::size_t elements, std::size_t columns) override
    {
        return opencl::scratch_bytes(w.what, elements, columns);
    }
    void copy_rows(device_pointer to, device_pointer from, const sample_copy& c) override
    {
        opencl::copy_rows(static_cast<cl_mem>(to.data), to.offset, static_cast<cl_mem>(from.data), from.offset,
                          c.row_bytes, c.rows, c.pitch, on_.queue);
    }
    void launch(const work& w) override { opencl::launch(w, on_.context, on_.device, on_.queue); }
    void read(void* to, device_pointer from, std::size_t bytes) override
    {
        opencl::read_and_wait(to, static_cast<cl_mem>(from.data), from.offset, bytes, on_.queue);
    }

private:
    const opencl_worker& on_;
};

/// A task that its device must not do: the host does it.
void run_instead(task_group& g, void* buffers[], const opencl_worker& on)
{
    require_other_device(g, device::opencl);
    host_copies copies(buffers, [&](void* to, std::size_t h, std::size_t bytes) {
        const device_pointer from = memory_of(buffers[h]);
        opencl::read_and_wait(to, static_cast<cl_mem>(from.data), from.offset, bytes, on.queue);
    });
    copies.compute(g);
    copies.put_back([&](std::size_t h, const void* from, std::size_t bytes) {
        const device_pointer to = memory_of(buffers[h]);
        opencl::write(static_cast<cl_mem>(to.data), to.offset, from, bytes, on.queue);
    });
}

/// Functions are checked before they run here for the first time.
bool may_run(const task_group& g, const work& w, const opencl_worker& on)
{
    if (trust_in(w.what, device::opencl) == trust::sound) return true;
    sampled_opencl here(on);
    return may_run_here(g, w, here);
}

} // namespace

void run_on_opencl(void* buffers[], void* argument) noexcept
{
    auto& g = *static_cast<task_group*>(argument);
    submitted_call& c = *g.owner;
    traced_task::begins_kernels(c.what().name);
    try {
        if (std::exception_ptr what = c.operand_fault()) std::rethrow_exception(what);
        if (g.carry_handle >= 0 && c.fault()) return; // nothing to go on from
        const opencl_worker on;
        static thread_local std::vector<slot_view> views;
        static thread_local std::vector<hood_view> hoods;
        const auto at = [&](std::uint32_t h) { return memory_of(buffers[h]); };
        fill_views(g, at, true, views);
        fill_hoods(g, at, true, hoods);
        const bool adds = c.what().kind == skeleton::accumulate;
        if (adds && (!c.direct || c.together))
            place_accumulators(c.what(), at(static_cast<std::uint32_t>(g.scratch_handle)), true, views);
        work w = work_of(g, views, hoods);
        if (g.carry_handle >= 0) {
            const device_pointer carry = memory_of(buffers[g.carry_handle]);
            w.carry.data = carry.data;
            w.carry.offset = carry.offset;
        }
        if (!may_run(g, w, on)) return run_instead(g, buffers, on);
        g.started_ns = now_ns();
        if (has_result_slot(c.what().kind) && !c.partials.data) launch_elements(g, w, buffers, on);
        else if (c.what().kind == skeleton::reduce_rows) launch_rows(c, g, w, buffers, on);
        else if (c.direct && adds) launch_added(g, w, buffers, on);
        else if (c.direct) launch_result(g, w, buffers, on);
        else launch_partial(c, g, w, buffers, on);
    } catch (...) {
        c.fail_here();
    }
}

void copy_halo_on_opencl(void* buffers[], void* argument) noexcept
{
    const auto& h = *static_cast<const halo*>(argument);
    try {
        const opencl_worker on;
        const device_pointer to = memory_of(buffers[0]);
        std::size_t at = to.offset;
        for (const halo::part& p : h.parts) {
            const std::size_t bytes = p.lines * h.line_bytes;
            if (p.buffer == halo::part::constant && !h.border_value) {
                // of a hood source: nobody reads it
            } else if (p.buffer == halo::part::constant) {
                std::vector<std::byte> filled(bytes);
                for (std::size_t i = 0; i < bytes; i += h.element_size)
                    std::memcpy(filled.data() + i, h.border_value, h.element_size);
                opencl::write(static_cast<cl_mem>(to.data), at, filled.data(), bytes, on.queue);
            } else {
                const device_pointer from = memory_of(buffers[1 + p.buffer]);
                opencl::copy(static_cast<cl_mem>(to.data), at, static_cast<cl_mem>(from.data), from.offset + p.offset,
                             bytes, on.queue);
            }
            at += bytes;
        }
    } catch (...) {
        h.fail(std::current_exception());
    }
}

void gather_on_opencl(void* buffers[], void* argument) noexcept
{
    const auto& g = *static_cast<const gathering*>(argument);
    try {
        const opencl_worker on;
        const device_pointer to = memory_of(buffers[0]);
        std::size_t at = to.offset;
        for (std::size_t t = 1; t <= g.tiles; ++t) {
            const std::size_t bytes = bytes_of_buffer(buffers[t]);
            const device_pointer from = memory_of(buffers[t]);
            opencl::copy(static_cast<cl_mem>(to.data), at, static_cast<cl_mem>(from.data), from.offset, bytes,
                         on.queue);
            at += bytes;
        }
    } catch (...) {
        g.fail(std::current_exception());
    }
}

} // namespace skelrt::detail
