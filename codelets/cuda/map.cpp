// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include "codelets/blas/cublas.hpp"

#include <skelrt/algorithms/detail/merge_step.hpp>

#include <algorithm>

namespace skelrt::detail::cuda
{

/// Each thread loads all it needs before it computes, and computes before it stores: the loads overlap, and the result
/// may lie on an input.
const char* const map_text = R"cuda(
namespace skelrt::generated
{

#if SKELRT_LINES
template <class Reader, class Segment> void map_rest(const Segment& s, const uniforms& u, size_t begin)
{
    const size_t i = begin + threadIdx.x;
    if (i < s.count) generated::put(s.out + i, Reader::single(s, u, i));
}

extern "C" __global__ void __launch_bounds__(threads) map_packed(const __grid_constant__ lines p)
{
    const line& s = p.at[blockIdx.y];
    const size_t count = s.count / pack_size; // whole packs
    const size_t first = blockIdx.x * size_t(in_flight * threads) + threadIdx.x;
    packs x[in_flight];
    #pragma unroll
    for (int j = 0; j < in_flight; ++j)
        if (first + j * threads < count) x[j].load(s, (first + j * threads) * pack_size);
    #pragma unroll
    for (int j = 0; j < in_flight; ++j) {
        const size_t i = (first + j * threads) * pack_size;
        if (first + j * threads >= count) break;
        pack<result_type, pack_size> y;
        #pragma unroll
        for (int k = 0; k < pack_size; ++k) y.set(k, packed_reader::value(x[j], k, s, p.u, i));
        y.store(s.out + i);
    }
    if (blockIdx.x == 0) map_rest<packed_reader>(s, p.u, count * pack_size); // fewer than a pack
}

extern "C" __global__ void __launch_bounds__(threads) map_linear(const __grid_constant__ lines p)
{
    const line& s = p.at[blockIdx.y];
    const size_t first = blockIdx.x * size_t(in_flight * threads) + threadIdx.x;
    linear_reader::registers x[in_flight];
    #pragma unroll
    for (int j = 0; j < in_flight; ++j)
        if (first + j * threads < s.count) linear_reader::load(x[j], s, first + j * threads);
    #pragma unroll
    for (int j = 0; j < in_flight; ++j) {
        const size_t i = first + j * threads;
        if (i < s.count) generated::put(s.out + i, linear_reader::value(x[j], 0, s, p.u, i));
    }
}

#endif

#if SKELRT_SQUARES
/// 32 x 8 positions a block, 8 x 4 a warp.
extern "C" __global__ void __launch_bounds__(threads) map_squares(const __grid_constant__ grids p)
{
    const grid& s = p.at[blockIdx.z];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned row = blockIdx.y * 8 + warp / 4 * 4 + lane / 8, col = blockIdx.x * 32 + warp % 4 * 8 + lane % 8;
    if (row < s.rows && col < s.cols)
        generated::put(&s.out.at(row, col), evaluate(load(s, row, col), p.u, s.row + row, s.col + col));
}
#endif

#if SKELRT_TURNED
/// The square in a segment's corner. Threads of a warp load neighbours of the transposed matrices, which lie below each
/// other here, and compute neighbours of the result. Inside: it has all rows and columns.
template <bool Inside> inline void map_turned_square(const grid& s, const uniforms& u, turned_tiles& tiles)
{
    constexpr unsigned across = turned_side / lanes, down = (turned_side + warps - 1) / warps;
    const unsigned x = threadIdx.x % lanes, y = threadIdx.x / lanes;
    const auto is_there = [&](unsigned row, unsigned col) { return Inside || (row < s.rows && col < s.cols); };
    const grid here = moved(s, y, x), turned = moved(s, x, y); // so that all steps from there are the same
    values<straight, across * down> mine;
    #pragma unroll
    for (unsigned j = 0; j < across * down; ++j) {
        const unsigned r = j / across * warps, c = j % across * lanes;
        if (is_there(y + r, x + c)) mine[j] = load_straight(here, r, c);
    }
    #pragma unroll
    for (unsigned j = 0; j < across * down; ++j) {
        const unsigned c = j / across * warps, r = j % across * lanes;
        if (is_there(x + r, y + c)) tiles.load(turned, r, c, tiles.place(y + c, x + r));
    }
    __syncthreads();
    #pragma unroll
    for (unsigned j = 0; j < across * down; ++j) {
        const unsigned r = j / across * warps, c = j % across * lanes;
        if (is_there(y + r, x + c))
            generated::put(&here.out.at(r, c),
                           evaluate(joined(mine[j], tiles, tiles.place(x + c, y + r)), u, here.row + r, here.col + c));
    }
}

/// A square a block.
extern "C" __global__ void __launch_bounds__(threads) map_turned(const __grid_constant__ grids p)
{
    __shared__ turned_tiles tiles;
    const grid& s = p.at[blockIdx.z];
    const size_t row = blockIdx.y * size_t(turned_side), col = blockIdx.x * size_t(turned_side);
    if (row >= s.rows || col >= s.cols) return; // of a smaller segment
    grid square = moved(s, row, col);
    square.rows = s.rows - row < turned_side ? s.rows - row : turned_side;
    square.cols = s.cols - col < turned_side ? s.cols - col : turned_side;
    if (turned_side % warps == 0 && square.rows == turned_side && square.cols == turned_side)
        map_turned_square<true>(square, p.u, tiles);
    else map_turned_square<false>(square, p.u, tiles);
}
#endif

extern "C" __global__ void __launch_bounds__(threads) map_strided(const __grid_constant__ grids p)
{
    const grid& s = p.at[blockIdx.y];
    const size_t count = s.rows * s.cols;
    const size_t first = blockIdx.x * size_t(in_flight * threads) + threadIdx.x;
    values<element, in_flight> x;
    position at[in_flight];
    #pragma unroll
    for (int j = 0; j < in_flight; ++j) {
        at[j] = position_of(first + j * threads, s.cols);
        if (first + j * threads < count) x[j] = load(s, at[j].row, at[j].col);
    }
    #pragma unroll
    for (int j = 0; j < in_flight; ++j)
        if (first + j * threads < count)
            generated::put(&s.out.at(at[j].row, at[j].col), evaluate(x[j], p.u, s.row + at[j].row, s.col + at[j].col));
}

} // namespace skelrt::generated
)cuda";

namespace
{

constexpr std::size_t most_blocks_down = 65'535; ///< along the second axis of a launch

/// Segments of one kind of access on their way into one launch.
class batch
{
public:
    batch(const program& p, access how, cudaStream_t stream) : program_(p), block_(p.layout), how_(how), stream_(stream)
    {
    }

    void add(const work& what, std::size_t s)
    {
        const slot_view& result = what.slot(s, what.what.slots.size() - 1);
        if (block_.segments() == 0) block_.set_uniforms(what);
        if (how_ == access::strided) block_.add_grid(what, s, result.data, result.ld, result.stride);
        else block_.add_line(what, s, result.data);
        const segment& where = what.segments[s];
        largest_ = std::max(largest_, where.rows * where.cols);
        squares_across_ = std::max(squares_across_, divided_up(where.cols, square_cols));
        squares_down_ = std::max(squares_down_, divided_up(where.rows, square_rows));
        const auto is_transposed = [&](unsigned k) { return what.slot(s, k).stride > 1; };
        turned_ = turned_ || std::ranges::any_of(program_.shape.turned, is_transposed);
        turned_across_ = std::max(turned_across_, divided_up(where.cols, program_.shape.turned_side));
        turned_down_ = std::max(turned_down_, divided_up(where.rows, program_.shape.turned_side));
        const std::size_t most = how_ == access::strided ? program_.layout.grids : program_.layout.lines;
        if (block_.segments() == most) flush();
    }

    void flush()
    {
        if (block_.segments() == 0) return;
        const kernel_shape& shape = program_.shape;
        const std::size_t of_thread = shape.in_flight * (how_ == access::packed ? shape.pack : 1);
        if (how_ == access::strided && program_.squares && squares_down_ <= most_blocks_down)
            run(program_.squares, {squares_across_, squares_down_, block_.segments()}, block_threads, block_, stream_);
        else if (program_.turned && turned_ && turned_down_ <= most_blocks_down)
            run(program_.turned, {turned_across_, turned_down_, block_.segments()}, program_.threads, block_, stream_);
        else if (how_ == access::linear && program_.merge_tiles)
            run(program_.merge_tiles, {merge_blocks(), block_.segments()}, program_.threads, block_, stream_);
        else
            run(program_.walk[static_cast<std::size_t>(how_)],
                {divided_up(largest_, of_thread * program_.threads), block_.segments()}, program_.threads, block_,
                stream_);
        block_.clear();
        largest_ = squares_across_ = squares_down_ = turned_across_ = turned_down_ = 0;
        turned_ = false;
    }

private:
    /// Tiles begin at crossings, the first one at the last crossing in front of its segment.
    std::size_t merge_blocks() const
    {
        return divided_up(largest_ + merge_step - 1, merge_tile_of(program_.layout.what, program_.threads));
    }

    const program& program_;
    parameter_block block_;
    access how_;
    cudaStream_t stream_;
    std::size_t largest_ = 0;                           ///< positions of a segment
    std::size_t squares_across_ = 0, squares_down_ = 0; ///< blocks for a segment in squares
    std::size_t turned_across_ = 0, turned_down_ = 0;   ///< the same, where transposed matrices are read
    bool turned_ = false;                               ///< some are
};

} // namespace

void launch_map(const work& what, const program& kernels, cudaStream_t stream)
{
    if (what.block == 0 && blas::cuda::multiply_planes(what, stream)) return; // whose blocks are its own
    if (launch_row_sums(what, kernels, stream)) return;
    batch batches[] = {
        {kernels, access::packed, stream}, {kernels, access::linear, stream}, {kernels, access::strided, stream}};
    for (std::size_t s = 0; s < what.segments.size(); ++s) {
        if (what.segments[s].rows * what.segments[s].cols == 0) continue;
        batches[static_cast<std::size_t>(access_of(what, s, kernels.shape))].add(what, s);
    }
    for (batch& b : batches) b.flush();
}

} // namespace skelrt::detail::cuda
