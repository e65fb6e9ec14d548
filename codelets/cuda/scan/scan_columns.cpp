// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/scan/scan.hpp"
#include "codelets/cuda/source.hpp"

#include <algorithm>
#include <bit>

/// Running values down each column. Strips of neighbouring columns, cut into chunks of rows that form a chain; where
/// there are columns enough to occupy the GPU, a thread goes down each.
namespace skelrt::detail::cuda
{

const char* const scan_columns_text = R"cuda(
namespace skelrt::generated
{

constexpr int column_depth = sizeof(result_type) <= 8 ? 8 : sizeof(result_type) <= 16 ? 4 : sizeof(result_type) <= 64 ? 2 : 1;
constexpr int column_threads = sizeof(result_type) <= 64 ? threads : lanes;

/// What comes in front of a chunk in one column: the running value of a chunk not far back, then what lies between,
/// from the top to the bottom. `next`: from a chunk's state to the next one's.
inline values<result_type, 1> column_front(const unsigned long long* states, size_t chunk, size_t next, size_t col)
{
    constexpr int seen = column_depth;
    values<result_type, 1> value[seen], front;
    int stop = -1;
    while (stop < 0) {
        unsigned status[seen];
        #pragma unroll
        for (int i = 0; i < seen; ++i) {
            status[i] = nothing_yet;
            if (i < chunk) status[i] = generated::look(states, (chunk - 1 - i) * next + col, value[i]);
        }
        bool ready = true;
        #pragma unroll
        for (int i = 0; i < seen; ++i) {
            if (ready && stop < 0 && status[i] == of_all) stop = i;
            ready = ready && status[i] != nothing_yet;
        }
    }
    #pragma unroll
    for (int i = seen - 1; i >= 0; --i) {
        if (i == stop) front = value[i];
        else if (i < stop) front[0] = generated::combine(front[0], value[i][0]);
    }
    return front;
}

/// Strips of p.r.group columns. A thread has column_depth rows of one column; blocks count through the strips first, so
/// a chunk's predecessor has long begun.
extern "C" __global__ void __launch_bounds__(column_threads) scan_columns(const __grid_constant__ grids p)
{
    __shared__ values<result_type, column_threads> sums;
    __shared__ values<result_type, lanes> fronts;
    const int width = int(p.r.group), lane = threadIdx.x % width, y = threadIdx.x / width;
    const size_t strips = divide_up(p.at[0].cols, width), rows = size_t(column_threads / width) * column_depth;
    const position at = position_of(blockIdx.x, strips);
    size_t skip = at.row;
    int n = 0;
    for (;; ++n) {
        const size_t chunks = divide_up(p.at[n].rows, rows);
        if (skip < chunks) break;
        skip -= chunks;
    }
    const grid& s = p.at[n];
    const size_t col = at.col * width + lane, begin = skip * rows, end = begin + rows < s.rows ? begin + rows : s.rows;
    const size_t from = begin + size_t(y) * column_depth;
    const bool inside = col < s.cols;
    const size_t rest = inside && from < end ? end - from : 0;
    const int count = rest < column_depth ? int(rest) : column_depth;

    values<element, column_depth> x;
    values<result_type, column_depth> own;
    #pragma unroll
    for (int i = 0; i < column_depth; ++i)
        if (i < count) x[i] = load(s, from + i, col);
    #pragma unroll
    for (int i = 0; i < column_depth; ++i) {
        if (i >= count) break;
        own[i] = evaluate(x[i], p.u, s.row + from + i, s.col + col);
        if (i > 0) own[i] = generated::combine(own[i > 0 ? i - 1 : 0], own[i]);
        sums[threadIdx.x] = own[i];
    }
    __syncthreads();
    if (y == 0 && inside) {
        const int busy = int(divide_up(end - begin, column_depth));
        values<result_type, 1> sum;
        sum[0] = sums[lane];
        for (int k = 1; k < busy; ++k) sum[0] = generated::combine(sum[0], sums[k * width + lane]);
        const size_t next = strips * width;
        running front;
        if (at.row == 0) {
            front = generated::first_front(p.r, p.r.carry + col);
        } else {
            generated::publish(p.r.states, at.row * next + col, of_tile, sum[0]);
            front.append(column_front(p.r.states, at.row, next, col)[0]);
        }
        if (front.begun) {
            fronts[lane] = front.value[0];
            sum[0] = generated::combine(front.value[0], sum[0]);
        }
        generated::publish(p.r.states, at.row * next + col, of_all, sum[0]);
        if (at.row + 1 == p.r.tiles) p.r.carry[col] = sum[0];
    }
    __syncthreads();
    if (count == 0) return;
    running front;
    if (at.row > 0 || p.r.front != nothing_in_front) front.append(fronts[lane]);
    for (int k = 0; k < y; ++k) front.append(sums[k * width + lane]);
    #pragma unroll
    for (int i = 0; i < column_depth; ++i) {
        if (i >= count) break;
        stored_type* const out = &s.out.at(from + i, col);
        if (exclusive) *out = generated::stored(i == 0 ? front.value[0] : generated::combine(front.value[0], own[i > 0 ? i - 1 : 0]));
        else *out = generated::stored(front.begun ? generated::combine(front.value[0], own[i]) : own[i]);
    }
}

/// A thread per column, down all p.r.chunk segments.
extern "C" __global__ void __launch_bounds__(threads) scan_whole_columns(const __grid_constant__ grids p)
{
    const size_t col = blockIdx.x * size_t(threads) + threadIdx.x;
    if (col >= p.at[0].cols) return;
    running front = generated::first_front(p.r, p.r.carry + col);
    for (size_t n = 0; n < p.r.chunk; ++n) {
        const grid& s = p.at[n];
        for (size_t row = 0; row < s.rows; row += column_depth) {
            values<element, column_depth> x;
            #pragma unroll
            for (int i = 0; i < column_depth; ++i)
                if (row + i < s.rows) x[i] = load(s, row + i, col);
            #pragma unroll
            for (int i = 0; i < column_depth; ++i) {
                if (row + i >= s.rows) break;
                const result_type value = evaluate(x[i], p.u, s.row + row + i, s.col + col);
                if (exclusive) s.out.at(row + i, col) = generated::stored(front.value[0]);
                front.append(value);
                if (!exclusive) s.out.at(row + i, col) = generated::stored(front.value[0]);
            }
        }
    }
    p.r.carry[col] = front.value[0];
}

} // namespace skelrt::generated
)cuda";

namespace
{

constexpr std::size_t many_columns = std::size_t{1} << 16; ///< a thread each occupies a GPU

/// The same numbers as in the text above.
struct column_shape {
    column_shape(const recipe& what, std::size_t cols, unsigned block)
        : threads(what.result_size <= 64 ? threads_of(block) : warp_lanes), depth(what.result_size <= 8    ? 8
                                                                                  : what.result_size <= 16 ? 4
                                                                                  : what.result_size <= 64 ? 2
                                                                                                           : 1),
          width(std::clamp<std::size_t>(std::bit_ceil(cols), 8, warp_lanes)), strips(divided_up(cols, width))
    {
    }
    std::size_t rows() const { return threads / width * depth; }
    std::size_t states(std::size_t chunks) const { return chunks * strips * width; }

    unsigned threads;
    std::size_t depth, width, strips;
};

class column_scan
{
public:
    column_scan(const work& w, const program& p, cudaStream_t stream)
        : work_(w), program_(p), stream_(stream), cols_(w.segments[0].cols), shape_(w.what, cols_, w.block),
          scratch_(w.what, cols_), front_(first_front(w))
    {
    }

    void run_all()
    {
        for (std::size_t first = 0; first < work_.segments.size();) first = run_some(first);
    }

private:
    std::size_t run_some(std::size_t first)
    {
        parameter_block block{program_.layout};
        block.set_uniforms(work_);
        std::size_t chunks = 0;
        for (; first < work_.segments.size() && block.segments() < program_.layout.grids; ++first) {
            if (work_.segments[first].rows == 0) continue;
            const slot_view& out = work_.slot(first, work_.what.slots.size() - 1);
            block.add_grid(work_, first, out.data, out.ld, out.stride);
            chunks += divided_up(work_.segments[first].rows, shape_.rows());
        }
        if (chunks == 0) return first;
        block.set_reduction(block.segments(), shape_.width, front_, work_.start);
        block.set_scan(scratch_.states(work_), scratch_.carry(work_), chunks);
        if (cols_ >= many_columns) {
            run(program_.whole_columns, {divided_up(cols_, program_.threads)}, program_.threads, block.data(), stream_);
        } else {
            clear_states(scratch_.states(work_), shape_.states(chunks), work_.what, stream_);
            run(program_.columns, {chunks * shape_.strips}, shape_.threads, block.data(), stream_);
        }
        front_ = front::stored;
        return first;
    }

    const work& work_;
    const program& program_;
    cudaStream_t stream_;
    std::size_t cols_;
    column_shape shape_;
    scan_scratch_layout scratch_;
    front front_;
};

} // namespace

void launch_scan_columns(const work& w, const program& kernels, cudaStream_t stream)
{
    if (w.segments.empty() || w.segments[0].cols == 0) return;
    column_scan{w, kernels, stream}.run_all();
}

std::size_t scan_columns_scratch(const recipe& what, std::size_t elements, std::size_t columns, unsigned block)
{
    const scan_scratch_layout scratch(what, columns);
    if (columns == 0 || columns >= many_columns) return scratch.bytes(0, what);
    const column_shape shape(what, columns, block);
    const std::size_t rows = elements / columns;
    return scratch.bytes(shape.states(rows / shape.rows() + std::min(rows, most_segments) + 1), what);
}

} // namespace skelrt::detail::cuda
