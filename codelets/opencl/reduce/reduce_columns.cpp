// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include "codelets/blas/clblast.hpp"

#include <algorithm>

/// Each column to one value. The rows of a segment are shared among parts; with more than one, each part leaves a row
/// of values in scratch, and a second kernel joins these rows in order.
namespace skelrt::detail::opencl
{

std::string column_kernels()
{
    return R"CL(
__kernel void skelrt_columns(CALL_PARAMETERS, __global uchar* out_bytes, ulong out_offset, FRONT_PARAMETERS)
{
    CALL_VARIABLES
    START_VARIABLE
    const ulong part = get_global_id(1);
    const ulong begin = part_begin(rows, part, get_global_size(1)), end = part_begin(rows, part + 1, get_global_size(1));
    __global RESULT* out = (__global RESULT*)(out_bytes + out_offset) + part * cols;
#ifdef SKELRT_CPU /* row by row, as the memory lies */
    for (ulong r = begin; r < end; ++r)
        FOR_MY_PART(c, cols, 0) {
            if (r > begin) out[c] = skelrt_combine(out[c], VALUE(r, c));
            else PUT_BEHIND_FRONT(out[c], VALUE(r, c));
        }
#else
    FOR_MY_PART(c, cols, 0) {
        RESULT own = VALUE(begin, c);
        for (ulong r = begin + 1; r < end; ++r) own = skelrt_combine(own, VALUE(r, c));
        PUT_BEHIND_FRONT(out[c], own);
    }
#endif
}

/* joins the `parts` rows of scratch into one row for each item of dimension 1 */
__kernel void skelrt_columns_finish(__global uchar* scratch_bytes, ulong scratch_offset, ulong parts, ulong cols,
                                    __global uchar* out_bytes, ulong out_offset, FRONT_PARAMETERS)
{
    START_VARIABLE
    const ulong begin = part_begin(parts, get_global_id(1), get_global_size(1));
    const ulong end = part_begin(parts, get_global_id(1) + 1, get_global_size(1));
    __global const RESULT* partial = (__global const RESULT*)(scratch_bytes + scratch_offset);
    __global RESULT* out = (__global RESULT*)(out_bytes + out_offset) + get_global_id(1) * cols;
    FOR_MY_PART(c, cols, 0) {
        RESULT own = partial[begin * cols + c];
        for (ulong p = begin + 1; p < end; ++p) own = skelrt_combine(own, partial[p * cols + c]);
        PUT_BEHIND_FRONT(out[c], own);
    }
}
)CL";
}

namespace
{

constexpr std::size_t column_group = 64;
constexpr std::size_t second_stage = 64; ///< more parts than this are joined in two steps

/// Work-items of a group across the columns: no more than there are columns, and a power of two.
std::size_t group_width(std::size_t cols, const kernels& k)
{
    std::size_t width = k.items(column_group);
    while (width / 2 >= cols) width /= 2;
    return width;
}

/// On a GPU whole groups of parts.
std::size_t parts_for(const segment& s, const kernels& k)
{
    const auto parts = column_parts_for(s, k);
    const auto height = k.is_cpu ? 1 : k.items(column_group) / group_width(s.cols, k);
    return parts < height ? 1 : parts / height * height;
}

void enqueue(kernel_run& run, std::size_t cols, std::size_t parts, const kernels& k, cl_command_queue queue)
{
    if (k.is_cpu) {
        run.enqueue(queue, {parts > 1 ? 1 : std::min(cols, 4 * k.compute_units), parts}, {1, 1});
        return;
    }
    const auto width = group_width(cols, k), lines = k.items(column_group) / width;
    const auto height = parts % lines == 0 ? lines : 1;
    run.enqueue(queue, {std::min((cols + width - 1) / width, 64 * k.compute_units) * width, parts}, {width, height});
}

/// The same memory, `values` results further on.
slot_view behind(const work& w, std::size_t values)
{
    auto view = w.scratch;
    view.offset += values * w.what.result_size;
    return view;
}

void join(const work& w, kernels& k, const slot_view& from, std::size_t parts, std::size_t cols, const slot_view& to,
          std::size_t rows, front in_front, cl_command_queue queue)
{
    kernel_run run(k, "skelrt_columns_finish", w.what);
    run.buffer(from).number(parts).number(cols).buffer(to);
    run.in_front(in_front, w.start);
    enqueue(run, cols, rows, k, queue);
}

void fold(const work& w, std::size_t s, kernels& k, front in_front, cl_command_queue queue)
{
    auto parts = parts_for(w.segments[s], k);
    const auto cols = w.segments[s].cols;
    const bool direct = parts == 1;
    {
        kernel_run run(k, "skelrt_columns", w.what);
        run.segment_of(w, s, false).buffer(direct ? w.result : w.scratch);
        run.in_front(direct ? in_front : front::nothing, w.start);
        enqueue(run, cols, parts, k, queue);
    }
    if (direct) return;
    auto from = w.scratch;
    if (parts > second_stage) {
        const auto next = behind(w, parts * cols);
        join(w, k, from, parts, cols, next, second_stage, front::nothing, queue);
        from = next;
        parts = second_stage;
    }
    join(w, k, from, parts, cols, w.result, 1, in_front, queue);
}

} // namespace

std::size_t columns_scratch(const recipe& what, std::size_t columns)
{
    const auto parts = most_column_parts(columns);
    if (parts == 1) return 0;
    return (parts > second_stage ? parts + second_stage : parts) * columns * what.result_size;
}

void launch_columns(const work& w, kernels& k, cl_command_queue queue)
{
    const bool own_groups = k.is_cpu || w.block > 0; // a BLAS has its own
    if (!own_groups && blas::opencl::multiply(w, k.context, k.device, queue)) return;
    bool started = false;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0 || w.segments[s].cols == 0) continue;
        fold(w, s, k, front_of(w, started), queue);
        started = true;
    }
}

} // namespace skelrt::detail::opencl
