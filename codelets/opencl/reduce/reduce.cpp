// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include <algorithm>

/// Everything to one value, with an operator that is associative and nothing else: operands keep their order. Each
/// work-group folds one contiguous part of a segment, tile by tile: its items fold short runs of neighbours, a tree in
/// local memory joins the runs, and the tile's value joins what the group has so far. The values of the groups stand in
/// scratch, in order, until one group folds them into the result. No item ever invents a neutral element.
namespace skelrt::detail::opencl
{
namespace
{

constexpr std::string_view tree = R"CL(
#define JOIN_TREE(tree, active)                                                                       \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
    for (ulong d = 1; d < active; d *= 2) {                                                           \
        const ulong left = get_local_id(0) * 2 * d;                                                   \
        if (left + d < active) tree[left] = skelrt_combine(tree[left], tree[left + d]);               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
    }
)CL";

constexpr std::string_view partials = R"CL(
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void NAME(CALL_PARAMETERS, __global uchar* scratch_bytes, ulong scratch_offset, ulong first_partial)
{
    CALL_VARIABLES
    __local RESULT tree[LOCAL];
    const ulong item = get_local_id(0), n = rows * cols;
    const ulong end = part_begin(n, get_group_id(0) + 1, get_num_groups(0));
    LEVELS(tiles)
    for (ulong tile = part_begin(n, get_group_id(0), get_num_groups(0)); tile < end; tile += LOCAL * RUN) {
        const ulong active = min((end - tile + RUN - 1) / RUN, (ulong)LOCAL);
        if (item < active) {
            const ulong begin = tile + item * RUN, stop = min(begin + RUN, end);
            ulong r = rows == 1 ? 0 : begin / cols, c = rows == 1 ? begin : begin % cols;
            RESULT own = ELEMENT(r, c);
            if (stop - begin == RUN) { /* a loop of known length: its loads do not wait for one another */
                for (ulong i = 1; i < RUN; ++i) { NEXT(r, c); own = skelrt_combine(own, ELEMENT(r, c)); }
            } else {
                for (ulong i = begin + 1; i < stop; ++i) { NEXT(r, c); own = skelrt_combine(own, ELEMENT(r, c)); }
            }
            tree[item] = own;
        }
        JOIN_TREE(tree, active)
        if (item == 0) LEVELS_ADD(tiles, tree[0])
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    RESULT total;
    if (item == 0) LEVELS_TOTAL(tiles, total)
    if (item == 0) ((__global RESULT*)(scratch_bytes + scratch_offset))[first_partial + get_group_id(0)] = total;
}
)CL";

constexpr std::string_view finish = R"CL(
/* one work-group; `count` values of scratch, joined in order, behind what comes in front */
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void skelrt_reduce_finish(__global uchar* scratch_bytes, ulong scratch_offset, ulong count,
                          __global uchar* result_bytes, ulong result_offset, FRONT_PARAMETERS)
{
    START_VARIABLE
    __local RESULT tree[LOCAL];
    __global const RESULT* partial = (__global const RESULT*)(scratch_bytes + scratch_offset);
    __global RESULT* result = (__global RESULT*)(result_bytes + result_offset);
    const ulong item = get_local_id(0), active = min(count, (ulong)LOCAL);
    if (item < active) {
        const ulong end = part_begin(count, item + 1, active);
        ulong i = part_begin(count, item, active);
        RESULT own = partial[i];
        while (++i < end) own = skelrt_combine(own, partial[i]);
        tree[item] = own;
    }
    JOIN_TREE(tree, active)
    if (item == 0) PUT_BEHIND_FRONT(*result, tree[0]);
}
)CL";

/// Folds the partial values so far into the result.
void flush(const work& w, kernels& k, std::size_t count, bool started, cl_command_queue queue)
{
    kernel_run run(k, "skelrt_reduce_finish", w.what);
    run.buffer(w.scratch).number(count).buffer(w.result);
    run.in_front(front_of(w, started), w.start);
    run.enqueue(queue, {k.local, 1}, {k.local, 1});
}

void fold(const work& w, std::size_t s, kernels& k, std::size_t groups, std::size_t first, cl_command_queue queue)
{
    const bool flat = is_flat(w, s);
    kernel_run run(k, flat ? "skelrt_reduce_flat" : "skelrt_reduce", w.what);
    run.segment_of(w, s, flat).buffer(w.scratch).number(first);
    run.enqueue(queue, {groups * k.local, 1}, {k.local, 1});
}

} // namespace

std::string reduce_kernels()
{
    return std::string(levels_text) + std::string(tree) + flat_and_general("skelrt_reduce", partials) +
           std::string(finish);
}

std::size_t reduce_scratch(const recipe& what) { return most_groups * what.result_size; }

void launch_reduce(const work& w, kernels& k, cl_command_queue queue)
{
    std::size_t waiting = 0;
    bool started = false;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const auto n = w.segments[s].rows * w.segments[s].cols;
        if (n == 0) continue;
        const auto groups = groups_for(n, k);
        if (waiting + groups > most_groups) {
            flush(w, k, waiting, started, queue);
            started = true;
            waiting = 0;
        }
        fold(w, s, k, groups, waiting, queue);
        waiting += groups;
    }
    if (waiting > 0) flush(w, k, waiting, started, queue);
}

} // namespace skelrt::detail::opencl
