// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

/// A wavefront as a pipeline of strips of rows. One warp goes along a strip from left to right: a lane has some rows,
/// and is one column behind the lane above it, from which it takes what lies above. Three more do all else, so that
/// nothing stands in its way: one waits for the last row of the strip above, one chunk of columns at a time, and asks
/// for operands; two carry results from shared memory, where lanes are not askew. Strips are taken in order by a
/// ticket, so a strip that is waited for always runs. In a plan's blocks a strip may have fewer warps, and a block
/// several strips.
namespace skelrt::detail::cuda
{

const char* const wavefront_text = R"cuda(
namespace skelrt::generated
{

constexpr int strip_rows = lanes * height; // a lane has `height` rows
constexpr int strip_threads = strip_warps * lanes;
constexpr int chunk = lanes / 2; // columns; lanes are in three chunks at a time, and a fourth one is stored
constexpr int stage_columns = 4 * chunk;
// Warps of a strip: the first one goes along, these look ahead and store. Where there are few, one does several things.
constexpr int looks = strip_warps > 1 ? 1 : 0, stores = strip_warps > 2 ? 2 : looks, storing_warps = strip_warps - stores;

using result_value = values<result_type, 1>;

/// What the lane above has; the first lane has `top`.
inline result_value of_lane_above(const result_value& value, const result_value& top, bool first)
{
    constexpr int word_bytes = sizeof(result_type) % 4 == 0 ? 4 : sizeof(result_type) % 2 == 0 ? 2 : 1;
    using word = typename word_of<word_bytes>::type;
    struct words {
        word all[sizeof(result_type) / word_bytes];
    };
    const words mine = __builtin_bit_cast(words, value), edge = __builtin_bit_cast(words, top);
    words moved;
    #pragma unroll
    for (int i = 0; i < sizeof(result_type) / word_bytes; ++i) {
        const word above = word(__shfl_up_sync(0xffffffff, unsigned(mine.all[i]), 1));
        moved.all[i] = first ? edge.all[i] : above;
    }
    return __builtin_bit_cast(result_value, moved);
}

/// What another multiprocessor has just written: not from this one's cache.
inline result_value load_fresh(const result_type* from)
{
    using words = pack<result_type, 1>;
    words all;
    #pragma unroll
    for (int i = 0; i < words::bytes / words::word_bytes; ++i)
        all.words[i] = __ldcg(reinterpret_cast<const typename words::word*>(from) + i);
    result_value value;
    memcpy(&value, all.words, sizeof(result_type));
    return value;
}

/// What lies above a strip: a row of results, or the edge of the matrix.
struct row_above {
    const result_type* first; ///< null: the edge
    size_t step;
    result_value at(const uniforms& u, size_t col) const
    {
        if (first != nullptr) return load_fresh(first + col * step);
        result_value value;
        value[0] = top_edge(u, col);
        return value;
    }
};

/// The rows of one lane.
struct lane_rows {
    const grid& s;
    const uniforms& u;
    size_t row; ///< the first, in the segment
    int count;
    values<result_type, height> last;
    result_value diagonal; ///< of the first row
    values<element, height> next;

    lane_rows(const grid& segment, const uniforms& uniform, size_t first)
        : s(segment), u(uniform), row(first), count(first < s.rows ? (s.rows - first < height ? int(s.rows - first) : height) : 0)
    {
        if (count == 0) return;
        const size_t begin = s.row + row;
        #pragma unroll
        for (int k = 0; k < height; ++k)
            if (k < count) last[k] = left_edge(u, begin + k);
        if (begin == 0) diagonal[0] = corner(u);
        else diagonal[0] = left_edge(u, begin - 1);
        look_ahead<false>(0);
    }
    /// Asks for the elements of the next column before they are needed.
    template <bool Inside> void look_ahead(size_t col)
    {
        if (!Inside && col >= s.cols) return;
        #pragma unroll
        for (int k = 0; k < height; ++k)
            if (Inside || k < count) next[k] = load(s, row + k, col);
    }
    template <bool Inside> void step(size_t col, const result_value& top)
    {
        values<element, height> x = next;
        look_ahead<Inside>(col + 1);
        result_value above = top, before = diagonal;
        #pragma unroll
        for (int k = 0; k < height; ++k) {
            if (!Inside && k >= count) break;
            x[k].before = skelrt::before2<result_type>(last[k], above[0], before[0]);
            before[0] = last[k];
            last[k] = evaluate(x[k], u, s.row + row + k, s.col + col);
            above[0] = last[k];
        }
        diagonal = top;
    }
};

/// What the warps of a strip share.
struct strip_memory {
    values<result_type, staged ? strip_rows * stage_columns : 1> stage;
    values<result_type, 2 * chunk> tops; ///< what lies above, of this chunk and the next one
    unsigned ticket;

    result_type& staged_at(int row, size_t col) { return stage[row * stage_columns + int(col % stage_columns)]; }
    result_type& top_at(size_t col) { return tops[int(col % (2 * chunk))]; }
};

/// Where a strip lies.
struct strip_place {
    const grid& s;
    const uniforms& u;
    size_t first; ///< row of the segment
    int count;    ///< rows
    row_above top;

    /// Chunks of steps until the last lane is through. All columns of a chunk are there two chunks of steps later.
    size_t chunks() const { return divide_up(s.cols, chunk) + 2; }
};

/// All warps of the strip have come so far, and see what the others wrote. `which`: of the block's strips.
inline void meet(int which) { asm volatile("bar.sync %0, %1;" ::"r"(which), "n"(strip_threads) : "memory"); }

inline void release(unsigned long long* to, unsigned long long value)
{
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}

template <bool Inside> inline void go_along_chunk(const strip_place& at, strip_memory& m, lane_rows& mine, size_t begin, int lane)
{
    #pragma unroll 4
    for (int i = 0; i < chunk; ++i) {
        const size_t step = begin + i, col = step - lane;
        result_value bottom, top;
        bottom[0] = mine.last[height - 1];
        top[0] = m.top_at(step);
        const result_value above = of_lane_above(bottom, top, lane == 0);
        if (!Inside && (mine.count == 0 || step < lane || col >= at.s.cols)) continue;
        mine.template step<Inside>(col, above);
        #pragma unroll
        for (int k = 0; k < height; ++k) {
            if (!Inside && k >= mine.count) break;
            if (staged) m.staged_at(lane * height + k, col) = mine.last[k];
            else generated::put(&at.s.out.at(mine.row + k, col), mine.last[k]);
        }
    }
}

inline void go_along(const strip_place& at, strip_memory& m, lane_rows& mine, size_t begin, int lane)
{
    if (at.count == strip_rows && begin >= lanes && begin + chunk < at.s.cols)
        go_along_chunk<true>(at, m, mine, begin, lane);
    else go_along_chunk<false>(at, m, mine, begin, lane);
}

/// Brings an element into this multiprocessor's cache.
inline void touch(const element& x)
{
    constexpr int words = sizeof(element) / 4;
    unsigned all[words > 0 ? words : 1];
    memcpy(all, &x, words * 4);
    #pragma unroll
    for (int i = 0; i < words; ++i) asm volatile("" ::"r"(all[i]));
}

inline void look_ahead(const strip_place& at, strip_memory& m, const volatile unsigned long long* done_above, size_t& seen, size_t begin, int lane)
{
    const size_t cols = at.s.cols, col = begin + lane % chunk, wanted = begin + chunk < cols ? begin + chunk : cols;
    if (begin >= cols) return;
    if (done_above != nullptr && seen < wanted) {
        if (lane == 0)
            while ((seen = *done_above) < wanted) {}
        seen = __shfl_sync(0xffffffff, seen, 0);
        __threadfence_block(); // what follows is read after that, and past this multiprocessor's cache
    }
    if (lane < chunk && col < cols) m.top_at(col) = at.top.at(at.u, col)[0];
    for (int r = lane / chunk; r < at.count; r += lanes / chunk)
        if (col < cols) touch(load(at.s, at.first + r, col));
}

/// The last row of a chunk's columns, for the strip below.
inline void hand_on(const strip_place& at, strip_memory& m, unsigned long long* done, size_t begin, int lane)
{
    const size_t col = begin + lane, cols = at.s.cols;
    if (staged && lane < chunk && col < cols)
        generated::put(&at.s.out.at(at.first + at.count - 1, col), m.staged_at(at.count - 1, col));
    __syncwarp();
    if (lane == 0) release(done, begin + chunk < cols ? begin + chunk : cols);
}

/// The other rows of these columns, by all threads that store.
inline void store(const strip_place& at, strip_memory& m, size_t begin, int thread)
{
    const size_t col = begin + thread % chunk;
    if (!staged || col >= at.s.cols) return;
    #pragma unroll 4
    for (int r = thread / chunk; r + 1 < at.count; r += storing_warps * lanes / chunk)
        generated::put(&at.s.out.at(at.first + r, col), m.staged_at(r, col));
}

inline void run_strip(const strip_place& at, strip_memory& m, unsigned long long* done, const volatile unsigned long long* done_above, int which, int warp, int lane)
{
    lane_rows mine(at.s, at.u, at.first + lane * height);
    size_t seen = 0; // columns that the strip above has done
    if (warp == looks) look_ahead(at, m, done_above, seen, 0, lane);
    meet(which);
    for (size_t c = 0; c <= at.chunks(); ++c) {
        const size_t begin = c * chunk, whole = begin - 3 * chunk; // of the last columns that all lanes have left
        if (warp == 0 && c < at.chunks()) go_along(at, m, mine, begin, lane);
        if (warp == stores && c >= 3) hand_on(at, m, done, whole, lane);
        if (warp == looks) look_ahead(at, m, done_above, seen, begin + chunk, lane);
        if (warp >= stores && c >= 3) store(at, m, whole, (warp - stores) * lanes + lane);
        meet(which);
    }
}

extern "C" __global__ void __launch_bounds__(strip_block) wavefront_strips(const __grid_constant__ grids p)
{
    __shared__ strip_memory all[block_strips];
    const int which = threadIdx.x / strip_threads, warp = threadIdx.x % strip_threads / lanes, lane = threadIdx.x % lanes;
    if (which >= block_strips) return; // a warp too many
    strip_memory& m = all[which];
    if (warp == 0 && lane == 0) m.ticket = unsigned(atomicAdd(p.r.states, 1ull));
    meet(which);
    const unsigned strip = m.ticket;
    unsigned long long* const done = p.r.states + 1; // columns of each strip
    size_t skip = strip;
    int n = 0;
    for (;; ++n) {
        if (n == p.r.group) return; // a strip too many
        const size_t strips = divide_up(p.at[n].rows, strip_rows);
        if (skip < strips) break;
        skip -= strips;
    }
    const grid& s = p.at[n];
    const size_t first = skip * strip_rows;
    strip_place at{s, p.u, first, s.rows - first < strip_rows ? int(s.rows - first) : strip_rows, {p.r.stored, p.r.chunk}};
    if (first > 0) at.top = {&s.out.at(first - 1, 0), s.out.stride};
    else if (n > 0) at.top = {&p.at[n - 1].out.at(p.at[n - 1].rows - 1, 0), p.at[n - 1].out.stride};
    run_strip(at, m, done + strip, strip > 0 ? done + strip - 1 : nullptr, which, warp, lane);
}

} // namespace skelrt::generated
)cuda";

namespace
{

/// How strips share a block and its memory.
struct strip_shape {
    unsigned block, strips, warps; ///< threads of a block; its strips; warps of a strip
    std::size_t height;            ///< rows of a lane
    bool staged;                   ///< results go to memory by way of shared memory

    std::size_t rows() const { return warp_lanes * height; }
    std::size_t stages(std::size_t size) const { return strips * rows() * 2 * warp_lanes * size; }
};

strip_shape strip_shape_of(const recipe& what, unsigned plans_block)
{
    constexpr std::size_t shared_memory = 32 << 10;
    constexpr unsigned usual = 4 * warp_lanes;
    const std::size_t size = what.result_size;
    const unsigned block = plans_block > 0 ? plans_block : usual, strips = std::max(block / usual, 1u);
    strip_shape s{block, strips, block / warp_lanes / strips, size <= 4 ? 4u : size <= 8 ? 2u : 1u, size <= 16};
    while (s.staged && s.height > 1 && s.stages(size) > shared_memory) s.height /= 2;
    s.staged = s.staged && s.stages(size) <= shared_memory;
    return s;
}

class strips
{
public:
    strips(const work& w, const program& p, cudaStream_t stream)
        : work_(w), program_(p), shape_(strip_shape_of(w.what, p.block)), stream_(stream)
    {
    }

    void run_all()
    {
        for (std::size_t first = 0; first < work_.segments.size();) first = run_some(first);
    }

private:
    const slot_view& result(std::size_t s) const { return work_.slot(s, work_.what.slots.size() - 1); }

    /// As many segments as one launch takes, from `first` on; returns the next.
    std::size_t run_some(std::size_t first)
    {
        parameter_block block{program_.layout};
        block.set_uniforms(work_);
        std::size_t count = 0, last = first;
        for (; first < work_.segments.size() && block.segments() < program_.layout.grids; ++first) {
            if (work_.segments[first].rows == 0) continue;
            const slot_view& out = result(first);
            block.add_grid(work_, first, out.data, out.ld, out.stride);
            count += divided_up(work_.segments[first].rows, shape_.rows());
            last = first;
        }
        if (count == 0) return first;
        block.set_reduction(above_step_, block.segments(), front::nothing, nullptr);
        block.set_scan(work_.scratch.data, nullptr, count, above_);
        clear(count);
        run(program_.columns, {divided_up(count, shape_.strips)}, shape_.block, block.data(), stream_);
        const slot_view& out = result(last);
        above_ = static_cast<std::byte*>(out.data) + (work_.segments[last].rows - 1) * out.ld * work_.what.result_size;
        above_step_ = out.stride;
        return first;
    }

    /// The ticket, and what each strip has done.
    void clear(std::size_t count) const
    {
        const cudaError_t result = cudaMemsetAsync(work_.scratch.data, 0, (count + 1) * 8, stream_);
        if (result != cudaSuccess)
            throw error("CUDA: cannot clear a wavefront's tickets: " + std::string(cudaGetErrorString(result)));
    }

    const work& work_;
    const program& program_;
    strip_shape shape_;
    cudaStream_t stream_;
    const void* above_ = nullptr; ///< the last row of the launch before
    std::size_t above_step_ = 0;
};

} // namespace

void launch_wavefront(const work& w, const program& kernels, cudaStream_t stream)
{
    if (w.segments.empty() || w.segments[0].cols == 0) return;
    strips{w, kernels, stream}.run_all();
}

std::size_t wavefront_scratch(const recipe& what, std::size_t elements, std::size_t columns, unsigned block)
{
    const std::size_t rows = columns == 0 ? 0 : elements / columns;
    return 8 * (2 + rows / strip_shape_of(what, block).rows() + std::min(rows, most_segments));
}

std::string wavefront_constants(const recipe& what, unsigned block)
{
    const strip_shape s = strip_shape_of(what, block);
    return "namespace skelrt::generated\n{\nconstexpr int strip_block = " + std::to_string(s.block) +
           ", block_strips = " + std::to_string(s.strips) + ", strip_warps = " + std::to_string(s.warps) +
           ", height = " + std::to_string(s.height) + ";\nconstexpr bool staged = " + (s.staged ? "true" : "false") +
           ";\n} // namespace skelrt::generated\n";
}

std::string wavefront_edges_text(const recipe& what)
{
    const auto edge = [&](std::size_t slot, const char* at) {
        if (!what.has_edges) return std::string("u.s0");
        return "u.s" + std::to_string(slot) + ".data()[" + at + "]";
    };
    const std::size_t slots = what.slots.size();
    const std::string unused = what.has_edges ? "" : "static_cast<void>(at); ";
    return "namespace skelrt::generated\n{\n"
           "inline result_type top_edge(const uniforms& u, size_t at) { " +
           unused + "return " + edge(slots - 3, "at") +
           "; }\ninline result_type left_edge(const uniforms& u, size_t at) { " + unused + "return " +
           edge(slots - 2, "at") +
           "; }\ninline result_type corner(const uniforms& u) { return u.s0; }\n} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
