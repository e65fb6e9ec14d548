// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/accumulated.hpp"
#include "codelets/index_fault.hpp"
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"
#include "src/jit/opencl.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

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

std::string join_kernel_name(unsigned which) { return fmt::format("skelrt_each_join_{}", which); }

/// The function changes its accumulators.
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

/// What the groups have added to their copies, of accumulator number `which`.
std::string join_kernel(unsigned which, const std::string& added)
{
    return fmt::format("#define JOIN_ADDED {}\n#define ADDED {}_value\n#define ADDED_JOINED {}_joined\n",
                       join_kernel_name(which), added, added) +
           R"CL(
__kernel void JOIN_ADDED(__global uchar* copies, ulong copies_offset, ulong count, ulong values,
                               __global uchar* result, ulong result_offset)
{
    __global const ADDED* const from = (__global const ADDED*)(copies + copies_offset);
    __global ADDED* const to = (__global ADDED*)(result + result_offset);
    FOR_MY_PART(i, values, 0) {
        ADDED all = from[i];
        for (ulong k = 1; k < count; ++k) all = ADDED_JOINED(all, from[k * values + i]);
        to[i] = all;
    }
}
#undef JOIN_ADDED
#undef ADDED
#undef ADDED_JOINED
)CL";
}

namespace
{

constexpr std::size_t usual_group = 256;

void flat(const work& w, std::size_t s, kernels& k, const std::string& name, std::size_t copies, cl_command_queue queue)
{
    const auto n = w.segments[s].rows * w.segments[s].cols;
    kernel_run run(k, name + "_flat", w.what);
    run.adds_to(w.scratch, copies).segment_of(w, s, true);
    if (k.is_cpu) run.enqueue(queue, {std::min(n, 4 * k.compute_units), 1}, {1, 1});
    else {
        const std::size_t group = k.items(usual_group);
        run.enqueue(queue, {std::min((n + group - 1) / group, 32 * k.compute_units) * group, 1}, {group, 1});
    }
}

void general(const work& w, std::size_t s, kernels& k, const std::string& name, std::size_t copies,
             cl_command_queue queue)
{
    const auto [rows, cols, row0, col0] = w.segments[s];
    kernel_run run(k, name, w.what);
    run.adds_to(w.scratch, copies).segment_of(w, s, false);
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

/// Every position once. `copies`: of an accumulator, in scratch; 1: the result itself.
void everywhere(const work& w, kernels& k, const std::string& name, cl_command_queue queue, std::size_t copies = 1)
{
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0 || w.segments[s].cols == 0) continue;
        if (is_flat(w, s)) flat(w, s, k, name, copies, queue);
        else general(w, s, k, name, copies, queue);
    }
}

/// visit(part of a copy, slot_view of it there, slot_view of its copies in scratch).
template <class Visit>
void for_each_part(const work& w, std::size_t copies, Visit visit)
{
    slot_view all = w.scratch;
    for_each_accumulated(
        w.what, [&](std::size_t slot) { return w.slot(0, slot).cols; },
        [&](const accumulated_part& part) {
            slot_view one = w.result;
            one.offset += part.offset;
            visit(part, one, all);
            all.offset = end_of_part(all.offset, copies * part.count * w.what.slots[part.slot].size);
        });
}

void begin_as_nothing(const work& w, std::size_t copies, cl_command_queue queue)
{
    for_each_part(w, copies, [&](const accumulated_part& part, const slot_view& one, const slot_view& all) {
        if (part.count == 0) return;
        std::uint64_t nothing = 0; // as large as any element
        w.what.cpu.clear(part.which, &nothing, 1);
        const slot_view& to = copies > 1 ? all : one;
        const std::size_t size = w.what.slots[part.slot].size;
        check(clEnqueueFillBuffer(queue, static_cast<cl_mem>(to.data), &nothing, size, to.offset,
                                  copies * part.count * size, 0, nullptr, nullptr),
              "clEnqueueFillBuffer", w.what.name);
    });
}

constexpr std::size_t room_of_copies = std::size_t{1} << 20; ///< fits the caches of GPUs
constexpr std::size_t room_between = 8;                      ///< bytes behind an accumulator's copies, at most

/// Groups that change the same values wait for each other: of small accumulators they have copies, which have to be
/// cleared and joined.
std::size_t copies_worth(const work& w, const kernels& k)
{
    constexpr std::size_t positions_each = 16, most = 256;
    std::size_t positions = 0;
    for (const segment& s : w.segments) positions += s.rows * s.cols;
    const std::size_t values = std::max<std::size_t>(w.result.cols, 1), groups = k.is_cpu ? 4 * k.compute_units : most;
    const std::size_t count =
        std::min({room_of_copies / (values * w.what.result_size), positions / (positions_each * values), groups});
    return std::bit_floor(std::max<std::size_t>(count, 1));
}

void join(const work& w, kernels& k, std::size_t copies, cl_command_queue queue)
{
    for_each_part(w, copies, [&](const accumulated_part& part, const slot_view& one, const slot_view& all) {
        if (part.count == 0) return;
        kernel_run run(k, join_kernel_name(part.which), w.what);
        run.buffer(all).number(copies).number(part.count).buffer(one);
        enqueue_lines(run, part.count, k, queue);
    });
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
    const std::size_t copies = copies_worth(w, k);
    begin_as_nothing(w, copies, queue);
    everywhere(w, k, "skelrt_each", queue, copies);
    if (copies > 1) join(w, k, copies, queue);
}

std::size_t accumulate_scratch(const recipe& what)
{
    return has_one_copy(what.rule) ? 0 : room_of_copies + accumulator_count(what) * room_between;
}

} // namespace skelrt::detail::opencl
