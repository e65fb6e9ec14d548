// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include "codelets/blas/clblast.hpp"

#include <algorithm>

/// Each row to one value. Short rows: one work-item folds a row. Long rows on a GPU: one work-group folds a row.
namespace skelrt::detail::opencl
{

std::string row_kernels()
{
    return std::string(levels_text) + R"CL(
#ifndef ROW_LOCAL
#define ROW_LOCAL (LOCAL < 64 ? LOCAL : 64)
#endif
#define ROW_PARAMETERS __global uchar* result_bytes, ulong result_offset, ulong first_row, skelrt_start start_parameter, \
                       ulong has_start
#define ROW_VARIABLES START_VARIABLE __global RESULT* result = (__global RESULT*)(result_bytes + result_offset) + first_row;

__kernel void skelrt_rows(CALL_PARAMETERS, ROW_PARAMETERS)
{
    CALL_VARIABLES
    ROW_VARIABLES
    FOR_MY_PART(r, rows, 0) {
        if (cols == 0) {
            if (has_start) result[r] = start;
            continue;
        }
#ifdef SKELRT_CPU /* of any length */
        LEVELS(runs)
        for (ulong begin = 0; begin < cols; begin += 64) {
            const ulong end = min(begin + 64, cols);
            RESULT some = VALUE(r, begin);
            for (ulong c = begin + 1; c < end; ++c) some = skelrt_combine(some, VALUE(r, c));
            LEVELS_ADD(runs, some)
        }
        RESULT own;
        LEVELS_TOTAL(runs, own)
#else
        RESULT own = VALUE(r, 0);
        for (ulong c = 1; c < cols; ++c) own = skelrt_combine(own, VALUE(r, c));
#endif
        if (has_start) own = skelrt_combine(start, own);
        result[r] = own;
    }
}

__kernel __attribute__((reqd_work_group_size(ROW_LOCAL, 1, 1)))
void skelrt_rows_grouped(CALL_PARAMETERS, ROW_PARAMETERS, ulong run)
{
    CALL_VARIABLES
    ROW_VARIABLES
    __local RESULT tree[ROW_LOCAL];
    const ulong item = get_local_id(0);
    for (ulong r = get_group_id(0); r < rows; r += get_num_groups(0)) {
        LEVELS(tiles)
        for (ulong tile = 0; tile < cols; tile += ROW_LOCAL * run) {
            const ulong active = min((cols - tile + run - 1) / run, (ulong)ROW_LOCAL);
            if (item < active) {
                ulong c = tile + item * run;
                const ulong stop = min(c + run, cols);
                RESULT own = VALUE(r, c);
                if (stop - c == RUN) /* a loop of known length: its loads do not wait for one another */
                    for (ulong i = 1; i < RUN; ++i) own = skelrt_combine(own, VALUE(r, c + i));
                else
                    while (++c < stop) own = skelrt_combine(own, VALUE(r, c));
                tree[item] = own;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (ulong d = 1; d < active; d *= 2) {
                const ulong left = item * 2 * d;
                if (left + d < active) tree[left] = skelrt_combine(tree[left], tree[left + d]);
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            if (item == 0) LEVELS_ADD(tiles, tree[0])
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (item == 0) {
            RESULT total;
            LEVELS_TOTAL(tiles, total)
            if (has_start) total = skelrt_combine(start, total);
            result[r] = total;
        }
    }
}
)CL";
}

namespace
{

kernel_run& arguments(kernel_run& run, const work& w, std::size_t s, std::size_t first_row)
{
    const std::string nothing(w.what.result_size, '\0');
    run.segment_of(w, s, false).buffer(w.result).number(first_row);
    run.bytes(w.start != nullptr ? w.start : nothing.data(), w.what.result_size);
    return run.number(w.start != nullptr ? 1 : 0);
}

} // namespace

void launch_rows(const work& w, kernels& k, cl_command_queue queue)
{
    const bool own_groups = k.is_cpu || w.block > 0; // a BLAS has its own
    if (!own_groups && blas::opencl::multiply(w, k.context, k.device, queue)) return;
    std::size_t first_row = 0;
    for (std::size_t s = 0; s < w.segments.size(); first_row += w.segments[s].rows, ++s) {
        const auto rows = w.segments[s].rows;
        if (rows == 0) continue;
        const bool grouped = !k.is_cpu && w.segments[s].cols >= long_row;
        kernel_run run(k, grouped ? "skelrt_rows_grouped" : "skelrt_rows", w.what);
        arguments(run, w, s, first_row);
        if (grouped) {
            const auto local = std::min(k.local, k.items(row_group));
            run.number(std::clamp<std::size_t>((w.segments[s].cols + local - 1) / local, 1, k.run));
            run.enqueue(queue, {std::min(rows, 32 * k.compute_units) * local, 1}, {local, 1});
        } else if (k.is_cpu) run.enqueue(queue, {std::min(rows, 4 * k.compute_units), 1}, {1, 1});
        else enqueue_lines(run, rows, k, queue);
    }
}

} // namespace skelrt::detail::opencl
