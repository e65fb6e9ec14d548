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
#define BEGIN_AT(i) ulong r = rows == 1 ? 0 : (i) / cols, c = rows == 1 ? (i) : (i) % cols;
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
    for (ulong i = begin + get_local_id(0); i < end; i += LOCAL) {
        BEGIN_AT(i)
        own += ELEMENT(r, c) ? 1 : 0;
    }
#endif
    of_item[get_local_id(0)] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) > 0) return;
    for (ulong i = 1; i < LOCAL; ++i) own += of_item[i];
    ((__global ulong*)(counts_bytes + counts_offset))[get_group_id(0)] = own;
}
#undef BEGIN_AT
)CL";

constexpr std::string_view fronts = R"CL(
/* one work-item: counts become what is in front; the segment's number of results */
__kernel void skelrt_filter_fronts(__global uchar* counts_bytes, ulong counts_offset, ulong groups,
                                   __global uchar* results_bytes, ulong results_offset, ulong which)
{
    __global ulong* count = (__global ulong*)(counts_bytes + counts_offset);
    ulong sum = 0;
    for (ulong i = 0; i < groups; ++i) {
        const ulong own = count[i];
        count[i] = sum;
        sum += own;
    }
    ((__global ulong*)(results_bytes + results_offset))[which] = sum;
}
)CL";

/// A filter that keeps others has them behind all results of the segment; `total`: so many.
constexpr std::string_view placing = R"CL(
#if KEEPS_OTHERS
#define PLACE_OTHER(i, at) STORE_FLAT(total + (i) - (at)) = kept;
#else
#define PLACE_OTHER(i, at)
#endif
#define BEGIN_AT(i) ulong r = rows == 1 ? 0 : (i) / cols, c = rows == 1 ? (i) : (i) % cols;
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
    __local ulong upto[LOCAL]; /* results of the items up to this one */
    const ulong item = get_local_id(0);
    for (ulong tile = begin; tile < end; tile += LOCAL * RUN) {
        const ulong first = min(tile + item * RUN, end), stop = min(first + RUN, end);
        ulong own = 0;
        if (first < stop) {
            BEGIN_AT(first)
            for (ulong i = first; i < stop; ++i) {
                own += ELEMENT(r, c) ? 1 : 0;
                NEXT(r, c);
            }
        }
        upto[item] = own;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (ulong d = 1; d < LOCAL; d *= 2) {
            const ulong left = item >= d ? upto[item - d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            upto[item] += left;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (first < stop && (KEEPS_OTHERS || own > 0)) {
            ulong at = front + upto[item] - own;
            BEGIN_AT(first)
            for (ulong i = first; i < stop; ++i) {
                if (ELEMENT(r, c)) {
                    STORE_FLAT(at) = kept;
                    ++at;
                } else {
                    PLACE_OTHER(i, at)
                }
                NEXT(r, c);
            }
        }
        front += upto[LOCAL - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
}
#undef BEGIN_AT
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
        run.enqueue(queue, {1, 1}, {1, 1});
    }
    kernel_run run(k, flat ? "skelrt_filter_flat" : "skelrt_filter", w.what);
    on_parts(run.segment_of(w, s, flat).buffer(w.scratch).buffer(w.result).number(s));
}

} // namespace

std::string filter_kernels(const recipe& what)
{
    return std::string("#define KEEPS_OTHERS ") + (what.keeps_others ? "1\n" : "0\n") +
           flat_and_general("skelrt_filter_count", count) + std::string(fronts) +
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
