// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include "codelets/blas/cublas.hpp"

#include <algorithm>

namespace skelrt::detail::cuda
{

const char* const reduce_columns_text = R"cuda(
namespace skelrt::generated
{

constexpr int rows_in_flight = 2 * in_flight;

inline void fold_column(running& total, const grid& s, const uniforms& u, size_t row, size_t end, size_t col)
{
    for (; row + rows_in_flight <= end; row += rows_in_flight) {
        values<element, rows_in_flight> x;
        #pragma unroll
        for (int j = 0; j < rows_in_flight; ++j) x[j] = load(s, row + j, col);
        #pragma unroll
        for (int j = 0; j < rows_in_flight; ++j) total.append(evaluate(x[j], u, s.row + row + j, s.col + col));
    }
    for (; row < end; ++row) total.append(evaluate(load(s, row, col), u, s.row + row, s.col + col));
}

/// A thread per column and chunk of p.r.chunk rows, counted over all p.r.group segments; neighbouring threads take
/// neighbouring columns.
extern "C" __global__ void __launch_bounds__(threads) columns(const __grid_constant__ grids p)
{
    const size_t item = blockIdx.x * size_t(threads) + threadIdx.x;
    const position at = position_of(item, p.at[0].cols);
    size_t skip = at.row * p.r.chunk, left = p.r.chunk;
    running total;
    for (size_t n = 0; n < p.r.group && left > 0; ++n) {
        const grid& s = p.at[n];
        if (skip >= s.rows) {
            skip -= s.rows;
            continue;
        }
        const size_t end = s.rows - skip < left ? s.rows : skip + left;
        fold_column(total, s, p.u, skip, end, at.col);
        left -= end - skip;
        skip = 0;
    }
    if (total.begun) generated::finish(p.at[0].out.data + item, total.value[0], p.r.front, p.r.start);
}

} // namespace skelrt::generated
)cuda";

namespace
{

constexpr std::size_t shortest_chunk = 32; ///< rows
constexpr std::size_t few_chunks = 64;     ///< that one thread can combine alone

/// Segments first .. last - 1, for one launch.
struct column_part {
    std::size_t first, last, rows;
};

column_part next_part(const work& what, std::size_t first, std::size_t most)
{
    column_part p{first, first, 0};
    for (std::size_t used = 0; p.last < what.segments.size(); ++p.last) {
        const std::size_t rows = what.segments[p.last].rows;
        if (rows == 0) continue;
        if (used++ == most) break;
        p.rows += rows;
    }
    return p;
}

void reduce_part(const work& what, const column_part& p, front in_front, const program& kernels, cudaStream_t stream)
{
    const std::size_t cols = what.segments[0].cols;
    const std::size_t wanted = std::max<std::size_t>(many_threads / cols, 1);
    const std::size_t chunk = std::max(divided_up(p.rows, wanted), shortest_chunk), chunks = divided_up(p.rows, chunk);
    void* out = chunks == 1 ? what.result.data : what.scratch.data;

    parameter_block block{kernels.layout};
    block.set_uniforms(what);
    for (std::size_t s = p.first; s < p.last; ++s)
        if (what.segments[s].rows > 0) block.add_grid(what, s, out, 0, 0);
    block.set_reduction(chunk, block.segments(), chunks == 1 ? in_front : front::nothing, what.start);
    run(kernels.columns, {divided_up(chunks * cols, kernels.threads)}, kernels.threads, block.data(), stream);
    if (chunks == 1) return;

    const combination partials{what.scratch.data, chunks, cols, 1, cols, what.result.data, in_front, what.start};
    if (chunks <= few_chunks) combine_each(kernels, partials, stream);
    else combine_partials(kernels, partials, stream);
}

} // namespace

void launch_reduce_columns(const work& what, const program& kernels, cudaStream_t stream)
{
    if (what.segments.empty() || what.segments[0].cols == 0) return;
    if (what.block == 0 && blas::cuda::multiply_vectors(what, stream)) return; // whose blocks are its own
    front in_front = what.start ? front::start : front::nothing;
    for (std::size_t first = 0; first < what.segments.size();) {
        const column_part p = next_part(what, first, kernels.layout.grids);
        first = p.last;
        if (p.rows == 0) continue;
        reduce_part(what, p, in_front, kernels, stream);
        in_front = front::stored;
    }
}

std::size_t reduce_columns_scratch(const recipe& what, std::size_t columns)
{
    return (many_threads + columns) * what.result_size;
}

} // namespace skelrt::detail::cuda
