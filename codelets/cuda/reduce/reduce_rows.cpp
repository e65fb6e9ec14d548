// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include "codelets/blas/cublas.hpp"

#include <algorithm>
#include <bit>

namespace skelrt::detail::cuda
{

const char* const reduce_rows_text = R"cuda(
namespace skelrt::generated
{

/// A group of p.r.group lanes per row, or per chunk of a row; a group of less than a warp takes whole rows.
template <class Reader> void reduce_row_chunk(const grids& p)
{
    const grid& s = p.at[blockIdx.y];
    const int size = int(p.r.group), lane = threadIdx.x % size;
    const size_t chunks = s.cols <= p.r.chunk ? 1 : divide_up(s.cols, p.r.chunk), items = s.rows * chunks;
    const size_t item = blockIdx.x * size_t(threads / size) + threadIdx.x / size;
    if (items == 0) return;
    const bool idle = item >= items; // stays: all lanes of a warp must take part
    const position at = position_of(idle ? items - 1 : item, chunks);

    const size_t begin = at.col * p.r.chunk, end = s.cols - begin < p.r.chunk ? s.cols : begin + p.r.chunk;
    const running sum = reduce_range<Reader>(Reader::row(s, at.row), p.u, begin, end, lane, size);
    if (idle || lane != 0) return;
    if (sum.begun) generated::finish(s.out.data + item, sum.value[0], p.r.front, p.r.start);
    else if (p.r.front == start_in_front) s.out.data[item] = p.r.start;
}

#if SKELRT_LINES
extern "C" __global__ void __launch_bounds__(threads) rows_packed(const __grid_constant__ grids p) { reduce_row_chunk<packed_reader>(p); }
extern "C" __global__ void __launch_bounds__(threads) rows_linear(const __grid_constant__ grids p) { reduce_row_chunk<linear_reader>(p); }
#endif
extern "C" __global__ void __launch_bounds__(threads) rows_strided(const __grid_constant__ grids p) { reduce_row_chunk<strided_reader>(p); }

} // namespace skelrt::generated
)cuda";

namespace
{

constexpr std::size_t many_warps = many_threads / warp_lanes;

/// How rows are shared out: lanes of a row, and elements of a chunk.
struct sharing {
    std::size_t group, chunk;
    std::size_t chunks(std::size_t cols) const { return cols <= chunk ? 1 : divided_up(cols, chunk); }
};

sharing share(std::size_t rows, std::size_t cols, access how, const kernel_shape& shape)
{
    const std::size_t width = how == access::packed ? shape.pack : 1;
    const std::size_t packs = std::max<std::size_t>(divided_up(cols, width), 1);
    // As many lanes as have several packs each to load; at least as many as make a row of 64 bytes one access.
    const std::size_t least = std::min<std::size_t>(std::bit_ceil(packs), 4);
    const std::size_t group =
        std::clamp<std::size_t>(std::bit_floor(std::max<std::size_t>(packs / shape.in_flight, 1)), least, warp_lanes);
    // Enough rows to fill the device, or rows too short to split: a whole row each.
    const std::size_t round = warp_lanes * shape.pack * shape.in_flight;
    if (group < warp_lanes || 2 * rows >= many_warps) return {group, std::max<std::size_t>(cols, 1)};
    return {group, rounded_up(divided_up(cols, many_warps / rows), round)};
}

/// Successive segments for one launch: same columns, same access.
struct row_part {
    std::size_t first, last, rows;
    access how;
};

row_part next_part(const work& what, std::size_t first, const program& kernels)
{
    row_part p{first, first, 0, row_access_of(what, first, kernels.shape)};
    for (; p.last < what.segments.size() && p.last - first < kernels.layout.grids; ++p.last) {
        const segment& s = what.segments[p.last];
        if (s.cols != what.segments[first].cols || row_access_of(what, p.last, kernels.shape) != p.how) break;
        p.rows += s.rows;
    }
    return p;
}

void reduce_part(const work& what, const row_part& p, void* result, const program& kernels, cudaStream_t stream)
{
    const std::size_t cols = what.segments[p.first].cols;
    const sharing how = share(p.rows, cols, p.how, kernels.shape);
    const std::size_t chunks = how.chunks(cols);
    const front in_front = what.start != nullptr ? front::start : front::nothing;

    parameter_block block{kernels.layout};
    block.set_uniforms(what);
    block.set_reduction(how.chunk, how.group, chunks == 1 ? in_front : front::nothing, what.start);
    value_array out{chunks == 1 ? result : what.scratch.data, what.what.result_size};
    std::size_t most = 0;
    for (std::size_t s = p.first; s < p.last; ++s) {
        const std::size_t items = what.segments[s].rows * chunks;
        if (items == 0) continue;
        block.add_grid(what, s, out.data, 0, 0);
        out.data = out.at(items);
        most = std::max(most, items);
    }
    const std::size_t blocks = divided_up(most * how.group, kernels.threads);
    run(kernels.walk[static_cast<std::size_t>(p.how)], {blocks, block.segments()}, kernels.threads, block.data(),
        stream);
    if (chunks > 1)
        combine_partials(kernels, {what.scratch.data, chunks, 1, chunks, p.rows, result, in_front, what.start}, stream);
}

} // namespace

void launch_reduce_rows(const work& what, const program& kernels, cudaStream_t stream)
{
    if (what.block == 0 && blas::cuda::multiply_vectors(what, stream)) return; // whose blocks are its own
    value_array result{what.result.data, what.what.result_size};
    for (std::size_t first = 0; first < what.segments.size();) {
        const row_part p = next_part(what, first, kernels);
        const bool empty = p.rows == 0 || (what.segments[first].cols == 0 && what.start == nullptr);
        if (!empty) reduce_part(what, p, result.data, kernels, stream);
        result.data = result.at(p.rows);
        first = p.last;
    }
}

std::size_t reduce_rows_scratch(const recipe& what)
{
    // Rows are split only when there are fewer than half as many as warps; rounding up costs one chunk a row.
    return (many_warps + many_warps / 2) * what.result_size;
}

} // namespace skelrt::detail::cuda
