// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/index_fault.hpp"
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"
#include "src/jit/opencl.hpp"

#include <algorithm>

namespace skelrt::detail::opencl
{

std::string map_kernels()
{
    return R"CL(
__kernel void skelrt_map_flat(CALL_PARAMETERS)
{
    CALL_VARIABLES
    FOR_MY_PART(i, rows * cols, 0)
        STORE_FLAT(i) = FLAT_VALUE(i);
}

__kernel void skelrt_map(CALL_PARAMETERS)
{
    CALL_VARIABLES
    FOR_MY_PART(r, rows, 1)
        FOR_MY_PART(c, cols, 0)
            STORE_AT(r, c) = VALUE(r, c);
}
)CL";
}

/// The function changes its accumulator.
std::string accumulate_kernels()
{
    return R"CL(
__kernel void skelrt_each_flat(CALL_PARAMETERS)
{
    CALL_VARIABLES
    FOR_MY_PART(i, rows * cols, 0)
        FLAT_VALUE(i);
}

__kernel void skelrt_each(CALL_PARAMETERS)
{
    CALL_VARIABLES
    FOR_MY_PART(r, rows, 1)
        FOR_MY_PART(c, cols, 0)
            VALUE(r, c);
}
)CL";
}

namespace
{

constexpr std::size_t usual_group = 256;

void flat(const work& w, std::size_t s, kernels& k, const std::string& name, cl_command_queue queue)
{
    const auto n = w.segments[s].rows * w.segments[s].cols;
    kernel_run run(k, name + "_flat", w.what);
    run.segment_of(w, s, true);
    if (k.is_cpu) run.enqueue(queue, {std::min(n, 4 * k.compute_units), 1}, {1, 1});
    else {
        const std::size_t group = k.items(usual_group);
        run.enqueue(queue, {std::min((n + group - 1) / group, 32 * k.compute_units) * group, 1}, {group, 1});
    }
}

void general(const work& w, std::size_t s, kernels& k, const std::string& name, cl_command_queue queue)
{
    const auto [rows, cols, row0, col0] = w.segments[s];
    kernel_run run(k, name, w.what);
    run.segment_of(w, s, false);
    if (k.is_cpu) {
        const auto parts = 4 * k.compute_units;
        const bool by_rows = rows >= cols;
        run.enqueue(queue, {by_rows ? 1 : std::min(cols, parts), by_rows ? std::min(rows, parts) : 1}, {1, 1});
        return;
    }
    const std::size_t height = rows == 1 ? 1 : 8, width = k.items(usual_group) / height;
    const auto across = std::min((cols + width - 1) / width, 32 * k.compute_units);
    const auto down = std::min((rows + height - 1) / height, std::max<std::size_t>(32 * k.compute_units / across, 1));
    run.enqueue(queue, {across * width, down * height}, {width, height});
}

/// Every position once.
void everywhere(const work& w, kernels& k, const std::string& name, cl_command_queue queue)
{
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0 || w.segments[s].cols == 0) continue;
        if (is_flat(w, s)) flat(w, s, k, name, queue);
        else general(w, s, k, name, queue);
    }
}

void begin_as_nothing(const work& w, cl_command_queue queue)
{
    std::uint64_t nothing = 0; // as large as any element
    w.what.cpu.clear(&nothing, 1);
    const std::size_t size = w.what.result_size;
    check(clEnqueueFillBuffer(queue, static_cast<cl_mem>(w.result.data), &nothing, size, w.result.offset,
                              w.result.cols * size, 0, nullptr, nullptr),
          "clEnqueueFillBuffer", w.what.name);
}

void begin_as_elements(const work& w, cl_command_queue queue)
{
    const slot_view& from = w.slot(0, w.what.slots.size() - 1);
    const auto to = static_cast<cl_mem>(w.result.data);
    const std::size_t bytes = w.result.cols * w.what.result_size;
    const std::size_t behind = writer_bytes_of(w.what, w.result.cols);
    if (bytes > 0)
        check(clEnqueueCopyBuffer(queue, static_cast<cl_mem>(from.data), to, from.offset, w.result.offset, bytes, 0,
                                  nullptr, nullptr),
              "clEnqueueCopyBuffer", w.what.name);
    const cl_uchar nobody = 0;
    if (behind > 0)
        check(clEnqueueFillBuffer(queue, to, &nobody, sizeof(nobody), w.result.offset + bytes, behind, 0, nullptr,
                                  nullptr),
              "clEnqueueFillBuffer", w.what.name);
}

} // namespace

void launch_map(const work& w, kernels& k, cl_command_queue queue) { everywhere(w, k, "skelrt_map", queue); }

void launch_accumulate(const work& w, kernels& k, cl_command_queue queue)
{
    if (has_one_copy(w.what.rule)) {
        begin_as_elements(w, queue);
        return everywhere(w, k, "skelrt_each", queue);
    }
    if (w.result.cols > 0) begin_as_nothing(w, queue);
    everywhere(w, k, "skelrt_each", queue);
}

} // namespace skelrt::detail::opencl
