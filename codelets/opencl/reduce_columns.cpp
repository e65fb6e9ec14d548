#include "skeletons.hpp"
#include "source.hpp"

#include <algorithm>

/// Each column to one value. The rows of a segment are shared among parts; with more than one, each part leaves a row of
/// values in scratch, and a second kernel joins these rows in order.
namespace skelrt::detail::opencl
{

std::string column_kernels()
{
    return R"CL(
__kernel void skelrt_columns(CALL_PARAMETERS, __global uchar* out_bytes, ulong out_offset, ulong started)
{
    CALL_VARIABLES
    const ulong part = get_global_id(1);
    const ulong begin = part_begin(rows, part, get_global_size(1)), end = part_begin(rows, part + 1, get_global_size(1));
    __global RESULT* out = (__global RESULT*)(out_bytes + out_offset) + part * cols;
#ifdef SKELRT_CPU /* row by row, as the memory lies */
    for (ulong r = begin; r < end; ++r)
        FOR_MY_PART(c, cols, 0) {
            if (r > begin || started) out[c] = skelrt_combine(out[c], VALUE(r, c));
            else out[c] = VALUE(r, c);
        }
#else
    FOR_MY_PART(c, cols, 0) {
        RESULT own = VALUE(begin, c);
        for (ulong r = begin + 1; r < end; ++r) own = skelrt_combine(own, VALUE(r, c));
        if (started) out[c] = skelrt_combine(out[c], own);
        else out[c] = own;
    }
#endif
}

__kernel void skelrt_columns_finish(__global uchar* scratch_bytes, ulong scratch_offset, ulong parts, ulong cols,
                                    __global uchar* result_bytes, ulong result_offset, ulong started)
{
    __global const RESULT* partial = (__global const RESULT*)(scratch_bytes + scratch_offset);
    __global RESULT* result = (__global RESULT*)(result_bytes + result_offset);
    FOR_MY_PART(c, cols, 0) {
        RESULT own = partial[c];
        for (ulong p = 1; p < parts; ++p) own = skelrt_combine(own, partial[p * cols + c]);
        if (started) result[c] = skelrt_combine(result[c], own);
        else result[c] = own;
    }
}
)CL";
}

namespace
{

constexpr std::size_t group = 64;

/// The most parts that scratch has room for.
std::size_t most_parts(std::size_t columns)
{
    return std::clamp<std::size_t>(65536 / std::max<std::size_t>(columns, 1), 1, 256);
}

/// Enough parts to occupy the device, and at least 16 rows in each.
std::size_t parts_for(const segment& s, const kernels& k)
{
    const auto wanted = k.is_cpu ? k.compute_units : (512 * k.compute_units + s.cols - 1) / s.cols;
    return std::clamp<std::size_t>(std::min(wanted, s.rows / 16), 1, most_parts(s.cols));
}

void enqueue(kernel_run& run, std::size_t cols, std::size_t parts, const kernels& k, cl_command_queue queue)
{
    if (k.is_cpu)
        run.enqueue(queue, {parts > 1 ? 1 : std::min(cols, 4 * k.compute_units), parts}, {1, 1});
    else
        run.enqueue(queue, {std::min((cols + group - 1) / group, 64 * k.compute_units) * group, parts}, {group, 1});
}

void fold(const work& w, std::size_t s, kernels& k, bool started, cl_command_queue queue)
{
    const auto parts = parts_for(w.segments[s], k);
    const auto cols = w.segments[s].cols;
    const bool direct = parts == 1;
    {
        kernel_run run(k, "skelrt_columns", w.what);
        run.segment_of(w, s, false).buffer(direct ? w.result : w.scratch).number(direct && started ? 1 : 0);
        enqueue(run, cols, parts, k, queue);
    }
    if (direct) return;
    kernel_run run(k, "skelrt_columns_finish", w.what);
    run.buffer(w.scratch).number(parts).number(cols).buffer(w.result).number(started ? 1 : 0);
    enqueue(run, cols, 1, k, queue);
}

} // namespace

std::size_t columns_scratch(const recipe& what, std::size_t columns)
{
    return most_parts(columns) * columns * what.result_size;
}

void launch_columns(const work& w, kernels& k, cl_command_queue queue)
{
    bool started = false;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0 || w.segments[s].cols == 0) continue;
        fold(w, s, k, started, queue);
        started = true;
    }
}

} // namespace skelrt::detail::opencl
