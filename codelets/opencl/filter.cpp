// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"
#include "src/jit/opencl.hpp"

#include <algorithm>

/// As scans here: nobody waits for another work-group. The first kernel counts what each group's part of a segment
/// keeps, the second turns that into what comes in front of each part, the third writes. Every segment's results begin
/// at its first
/// element: a kernel cannot choose between buffers, and only the device knows how many results are in front of a
/// segment.
namespace skelrt::detail::opencl
{
namespace
{

/// ELEMENT(r, c) sets `kept` to the element and tells whether to keep it.
constexpr std::string_view count = R"CL(
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void NAME(CALL_PARAMETERS, __global uchar* counts_bytes, ulong counts_offset)
{
    CALL_VARIABLES
    __local ulong of_item[LOCAL];
    const ulong n = rows * cols;
    const ulong begin = part_begin(n, get_group_id(0), get_num_groups(0));
    const ulong end = part_begin(n, get_group_id(0) + 1, get_num_groups(0));
    RESULT kept;
    ulong own = 0;
#ifdef SKELRT_CPU
    BEGIN_AT(begin)
    for (ulong i = begin; i < end; ++i) {
        own += ELEMENT(r, c) ? 1 : 0;
        NEXT(r, c);
    }
#else
    BEGIN_AT(begin + get_local_id(0))
    for (ulong i = begin + get_local_id(0); i < end; i += LOCAL) {
        own += ELEMENT(r, c) ? 1 : 0;
        ADVANCE(r, c, LOCAL)
    }
#endif
    of_item[get_local_id(0)] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) > 0) return;
    for (ulong i = 1; i < LOCAL; ++i) own += of_item[i];
    ((__global ulong*)(counts_bytes + counts_offset))[get_group_id(0)] = own;
}
)CL";

constexpr std::string_view fronts = R"CL(
/* one work-group: counts become what is in front; the segment's number of results */
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void skelrt_filter_fronts(__global uchar* counts_bytes, ulong counts_offset, ulong groups,
                          __global uchar* results_bytes, ulong results_offset, ulong which)
{
    __local ulong upto[LOCAL];
    __global ulong* count = (__global ulong*)(counts_bytes + counts_offset);
    const ulong item = get_local_id(0);
    const ulong begin = part_begin(groups, item, LOCAL), end = part_begin(groups, item + 1, LOCAL);
    ulong own = 0;
    for (ulong i = begin; i < end; ++i) own += count[i];
    upto[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    RUNNING_IN_GROUP(ulong, upto, item, LOCAL, SUM)
    ulong sum = upto[item] - own;
    for (ulong i = begin; i < end; ++i) {
        const ulong next = sum + count[i];
        count[i] = sum;
        sum = next;
    }
    if (item + 1 == LOCAL) ((__global ulong*)(results_bytes + results_offset))[which] = sum;
}
)CL";

/// A filter that keeps others has them behind all results of the segment; `total`: so many. On a GPU a group takes a
/// tile of elements at a time into local memory, neighbouring items neighbouring elements, and puts it in order there:
/// what is kept, and behind that the others.
constexpr std::string_view placing = R"CL(
#if KEEPS_OTHERS
#define PLACE_OTHER(i, at) STORE_FLAT(total + (i) - (at)) = kept;
#else
#define PLACE_OTHER(i, at)
#endif
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void NAME(CALL_PARAMETERS, __global uchar* fronts_bytes, ulong fronts_offset,
          __global uchar* results_bytes, ulong results_offset, ulong which)
{
    CALL_VARIABLES
    const ulong total = ((__global ulong*)(results_bytes + results_offset))[which];
    const ulong n = rows * cols;
    const ulong begin = part_begin(n, get_group_id(0), get_num_groups(0));
    const ulong end = part_begin(n, get_group_id(0) + 1, get_num_groups(0));
    ulong front = ((__global ulong*)(fronts_bytes + fronts_offset))[get_group_id(0)];
    RESULT kept;
#ifdef SKELRT_CPU
    BEGIN_AT(begin)
    for (ulong i = begin; i < end; ++i) {
        if (ELEMENT(r, c)) {
            STORE_FLAT(front) = kept;
            ++front;
        } else {
            PLACE_OTHER(i, front)
        }
        NEXT(r, c);
    }
#else
    __local RESULT tile[LOCAL * (RUN + 1)];
    __local uchar keeps[LOCAL * (RUN + 1)];
    __local uint upto[LOCAL]; /* results of the items up to this one */
    const uint item = (uint)get_local_id(0);
    for (ulong at = begin; at < end; at += LOCAL * RUN) {
        const uint count = (uint)min(end - at, LOCAL * RUN);
        {
            BEGIN_AT(at + item)
            for (uint i = item; i < count; i += LOCAL) {
                keeps[IN_TILE(i)] = ELEMENT(r, c) ? 1 : 0;
                tile[IN_TILE(i)] = kept;
                ADVANCE(r, c, LOCAL)
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint first = item * RUN;
        RESULT values[RUN];
        bool kept_of[RUN];
        uint own = 0;
        for (uint i = 0; i < RUN; ++i) {
            kept_of[i] = false;
            if (first + i >= count) continue;
            values[i] = tile[IN_TILE(first + i)];
            kept_of[i] = keeps[IN_TILE(first + i)] != 0;
            own += kept_of[i] ? 1 : 0;
        }
        upto[item] = own;
        barrier(CLK_LOCAL_MEM_FENCE);
        RUNNING_IN_GROUP(uint, upto, item, LOCAL, SUM)
        const uint results = upto[LOCAL - 1];
        uint next = upto[item] - own;
        for (uint i = 0; i < RUN; ++i) {
            if (kept_of[i]) tile[next++] = values[i];
            else if (KEEPS_OTHERS && first + i < count) tile[results + first + i - next] = values[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = item; i < results; i += LOCAL) STORE_FLAT(front + i) = tile[i];
#if KEEPS_OTHERS
        for (uint i = results + item; i < count; i += LOCAL) STORE_FLAT(total + (at - front) + (i - results)) = tile[i];
#endif
        front += results;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
}
#undef PLACE_OTHER
)CL";

void filter_segment(const work& w, std::size_t s, kernels& k, cl_command_queue queue)
{
    const bool flat = is_flat(w, s);
    const auto groups = groups_for(w.segments[s].rows * w.segments[s].cols, k);
    const auto on_parts = [&](kernel_run& run) { run.enqueue(queue, {groups * k.local, 1}, {k.local, 1}); };
    {
        kernel_run run(k, flat ? "skelrt_filter_count_flat" : "skelrt_filter_count", w.what);
        on_parts(run.segment_of(w, s, flat).buffer(w.scratch));
    }
    {
        kernel_run run(k, "skelrt_filter_fronts", w.what);
        run.buffer(w.scratch).number(groups).buffer(w.result).number(s);
        run.enqueue(queue, {k.local, 1}, {k.local, 1});
    }
    kernel_run run(k, flat ? "skelrt_filter_flat" : "skelrt_filter", w.what);
    on_parts(run.segment_of(w, s, flat).buffer(w.scratch).buffer(w.result).number(s));
}

} // namespace

std::string filter_kernels(const recipe& what)
{
    return std::string("#define KEEPS_OTHERS ") + (what.keeps_others ? "1\n" : "0\n") + tile_text + walk_text +
           "#define SUM(a, b) ((a) + (b))\n" + flat_and_general("skelrt_filter_count", count) + std::string(fronts) +
           flat_and_general("skelrt_filter", placing);
}

std::size_t filter_scratch() { return most_groups * sizeof(cl_ulong); }

void launch_filter(const work& w, kernels& k, cl_command_queue queue)
{
    constexpr cl_ulong nothing = 0;
    check(clEnqueueFillBuffer(queue, static_cast<cl_mem>(w.result.data), &nothing, sizeof nothing, w.result.offset,
                              w.segments.size() * sizeof nothing, 0, nullptr, nullptr),
          "clEnqueueFillBuffer", w.what.name);
    for (std::size_t s = 0; s < w.segments.size(); ++s)
        if (w.segments[s].rows * w.segments[s].cols > 0) filter_segment(w, s, k, queue);
}

} // namespace skelrt::detail::opencl
