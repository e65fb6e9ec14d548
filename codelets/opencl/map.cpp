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

std::string near_kernels()
{
    return R"CL(
#define NEAR_BEGIN(added, s, nothing)                                                                 \
    {                                                                                                 \
        union { ulong bits; added##_value value; } start;                                             \
        start.bits = nothing;                                                                         \
        const uint length = (uint)s.n | 1;                                                            \
        __local added##_value* const all = (__local added##_value*)at;                                \
        for (uint i = item; i < near * length; i += items) all[i] = start.value;                      \
        s.near = all + item % near * length;                                                          \
        s.is_near = 1;                                                                                \
        at += (near * length * sizeof(start.value) + 7) / 8;                                          \
    }
#define NEAR_END(added, s, nothing)                                                                   \
    {                                                                                                 \
        union { ulong bits; added##_value value; } start;                                             \
        start.bits = nothing;                                                                         \
        const uint length = (uint)s.n | 1;                                                            \
        __local const added##_value* const all = (__local const added##_value*)at;                    \
        s.is_near = 0;                                                                                \
        for (uint i = item; i < s.n; i += items) {                                                    \
            added##_value sum = all[i];                                                               \
            for (uint k = 1; k < near; ++k) sum = added##_joined(sum, all[k * length + i]);           \
            if (sum != start.value) added##_put(s, i, sum);                                           \
        }                                                                                             \
        at += (near * length * sizeof(start.value) + 7) / 8;                                          \
    }
#define NEAR(some)                                                                                    \
    {                                                                                                 \
        const uint item = get_local_id(0) + get_local_id(1) * get_local_size(0);                      \
        const uint items = get_local_size(0) * get_local_size(1);                                     \
        __local ulong* at = room;                                                                     \
        some                                                                                          \
    }

__kernel void skelrt_each_near_flat(CALL_PARAMETERS NEAR_PARAMETERS)
{
    CALL_VARIABLES
    NEAR(ALL_NEAR_BEGIN)
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_MY_PART(i, rows * cols, 0)
        FLAT_VALUE(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    NEAR(ALL_NEAR_END)
}

__kernel void skelrt_each_near(CALL_PARAMETERS NEAR_PARAMETERS)
{
    CALL_VARIABLES
    NEAR(ALL_NEAR_BEGIN)
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_MY_PART(r, rows, 1)
        FOR_MY_PART(c, cols, 0)
            VALUE(r, c);
    barrier(CLK_LOCAL_MEM_FENCE);
    NEAR(ALL_NEAR_END)
}
)CL";
}

/// What the groups have added to their copies, of accumulator number `which`; `begun`: goes on from what is there.
std::string join_kernel(unsigned which, const std::string& added)
{
    return fmt::format("#define JOIN_ADDED {}\n#define ADDED {}_value\n#define ADDED_JOINED {}_joined\n",
                       join_kernel_name(which), added, added) +
           R"CL(
__kernel void JOIN_ADDED(__global uchar* copies, ulong copies_offset, ulong count, ulong values, ulong begun,
                               __global uchar* result, ulong result_offset)
{
    __global const ADDED* const from = (__global const ADDED*)(copies + copies_offset);
    __global ADDED* const to = (__global ADDED*)(result + result_offset);
    FOR_MY_PART(i, values, 0) {
        ADDED all = begun ? ADDED_JOINED(to[i], from[i]) : from[i];
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

/// How a call's groups reach what they change.
struct ways {
    std::size_t copies = 1;     ///< of an accumulator, in scratch; 1: the result itself
    std::size_t near = 0;       ///< copies of each group in its local memory, which it joins to those at the end
    std::size_t near_bytes = 0; ///< of these
    std::size_t groups;         ///< at most
};

/// What every element of an accumulator begins as, in the first bytes.
std::uint64_t nothing_of(const work& w, unsigned which)
{
    std::uint64_t nothing = 0; // as large as any element
    w.what.cpu.clear(which, &nothing, 1);
    return nothing;
}

void segment_of(kernel_run& run, const work& w, std::size_t s, const ways& how, bool flat)
{
    run.adds_to(w.scratch, how.copies).segment_of(w, s, flat);
    if (how.near == 0) return;
    run.local(how.near_bytes).number(how.near);
    for (unsigned which = 0; which < accumulator_count(w.what); ++which) run.number(nothing_of(w, which));
}

void flat(const work& w, std::size_t s, kernels& k, const std::string& name, const ways& how, cl_command_queue queue)
{
    const auto n = w.segments[s].rows * w.segments[s].cols;
    kernel_run run(k, name + "_flat", w.what);
    segment_of(run, w, s, how, true);
    if (k.is_cpu) run.enqueue(queue, {std::min(n, 4 * k.compute_units), 1}, {1, 1});
    else {
        const std::size_t group = k.items(usual_group);
        run.enqueue(queue, {std::min((n + group - 1) / group, how.groups) * group, 1}, {group, 1});
    }
}

void general(const work& w, std::size_t s, kernels& k, const std::string& name, const ways& how, cl_command_queue queue)
{
    const auto [rows, cols, row0, col0] = w.segments[s];
    kernel_run run(k, name, w.what);
    segment_of(run, w, s, how, false);
    if (k.is_cpu) {
        const auto parts = 4 * k.compute_units;
        const bool by_rows = rows >= cols;
        run.enqueue(queue, {by_rows ? 1 : std::min(cols, parts), by_rows ? std::min(rows, parts) : 1}, {1, 1});
        return;
    }
    const std::size_t height = rows == 1 ? 1 : 8, width = k.items(usual_group) / height;
    const auto across = std::min((cols + width - 1) / width, how.groups);
    const auto down = std::min((rows + height - 1) / height, std::max<std::size_t>(how.groups / across, 1));
    run.enqueue(queue, {across * width, down * height}, {width, height});
}

/// Every position once.
void everywhere(const work& w, kernels& k, const std::string& name, const ways& how, cl_command_queue queue)
{
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0 || w.segments[s].cols == 0) continue;
        if (is_flat(w, s)) flat(w, s, k, name, how, queue);
        else general(w, s, k, name, how, queue);
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
            slot_view one = changes_elements(w) ? w.slot(0, part.slot) : w.result;
            if (!changes_elements(w)) one.offset += part.offset;
            visit(part, one, all);
            all.offset = end_of_part(all.offset, copies * part.count * w.what.slots[part.slot].size);
        });
}

void begin_as_nothing(const work& w, std::size_t copies, cl_command_queue queue)
{
    for_each_part(w, copies, [&](const accumulated_part& part, const slot_view& one, const slot_view& all) {
        if (part.count == 0 || (copies == 1 && changes_elements(w))) return;
        const std::uint64_t nothing = nothing_of(w, part.which);
        const slot_view& to = copies > 1 ? all : one;
        const std::size_t size = w.what.slots[part.slot].size;
        check(clEnqueueFillBuffer(queue, static_cast<cl_mem>(to.data), &nothing, size, to.offset,
                                  copies * part.count * size, 0, nullptr, nullptr),
              "clEnqueueFillBuffer", w.what.name);
    });
}

constexpr std::size_t room_of_copies = std::size_t{1} << 20; ///< fits the caches of GPUs
constexpr std::size_t room_between = 8;                      ///< bytes behind an accumulator's copies, at most
constexpr std::size_t positions_each = 16; ///< per value of a copy, at least: copies have to be cleared and joined
constexpr std::size_t usual_groups = 32;   ///< per compute unit, at most

/// In local memory, so that enough groups find room beside each other.
void keep_near(ways& how, const work& w, const kernels& k, std::size_t positions_per_value)
{
    constexpr std::size_t room_of_group = std::size_t{8} << 10, most = 32, groups_of_unit = 8;
    const auto count_of = [&](std::size_t slot) { return w.slot(0, slot).cols; };
    const std::size_t one = bytes_of_near_copies(w.what, count_of, 1);
    if (k.is_cpu || one == 0 || one > k.local_bytes / 2) return;
    how.near = std::bit_floor(std::clamp<std::size_t>(room_of_group / one, 1, most));
    how.near_bytes = bytes_of_near_copies(w.what, count_of, how.near);
    how.groups = std::clamp<std::size_t>(positions_per_value / positions_each, 1, groups_of_unit * k.compute_units);
}

/// Groups that change the same values wait for each other: of small accumulators they have copies.
ways ways_worth(const work& w, const kernels& k)
{
    constexpr std::size_t most = 256, most_behind_near = 32;
    std::size_t positions = 0;
    for (const segment& s : w.segments) positions += s.rows * s.cols;
    const std::size_t values = std::max<std::size_t>(w.result.cols, 1);
    ways how{.groups = usual_groups * k.compute_units};
    keep_near(how, w, k, positions / values);
    const std::size_t groups = k.is_cpu ? 4 * k.compute_units : how.near > 0 ? most_behind_near : most;
    const std::size_t count =
        std::min({room_of_copies / (values * w.what.result_size), positions / values / positions_each, groups});
    how.copies = std::bit_floor(std::max<std::size_t>(count, 1));
    return how;
}

void join(const work& w, kernels& k, std::size_t copies, cl_command_queue queue)
{
    for_each_part(w, copies, [&](const accumulated_part& part, const slot_view& one, const slot_view& all) {
        if (part.count == 0) return;
        kernel_run run(k, join_kernel_name(part.which), w.what);
        run.buffer(all).number(copies).number(part.count).number(changes_elements(w) ? 1 : 0).buffer(one);
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

void launch_map(const work& w, kernels& k, cl_command_queue queue)
{
    everywhere(w, k, "skelrt_map", {.groups = usual_groups * k.compute_units}, queue);
}

void launch_accumulate(const work& w, kernels& k, cl_command_queue queue)
{
    if (has_one_copy(w.what.rule)) {
        if (!changes_elements(w)) begin_as_elements(w, queue);
        return everywhere(w, k, "skelrt_each", {.groups = usual_groups * k.compute_units}, queue);
    }
    const ways how = ways_worth(w, k);
    begin_as_nothing(w, how.copies, queue);
    everywhere(w, k, how.near > 0 ? "skelrt_each_near" : "skelrt_each", how, queue);
    if (how.copies > 1) join(w, k, how.copies, queue);
}

std::size_t accumulate_scratch(const recipe& what)
{
    return has_one_copy(what.rule) ? 0 : room_of_copies + accumulator_count(what) * room_between;
}

} // namespace skelrt::detail::opencl
