// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

/// A wavefront as a pipeline of warps, each with a strip of rows that it goes along from left to right: a lane has
/// some rows, and is one column behind the lane above it, from which it takes what lies above. Strips are taken in
/// order by a ticket, so a strip that is waited for always runs. A strip waits for the last row of the one above it,
/// some columns at a time. Results of words go to memory by way of shared memory, where lanes are not askew.
namespace skelrt::detail::cuda
{

const char* const wavefront_text = R"cuda(
namespace skelrt::generated
{

constexpr int height = sizeof(result_type) <= 4 ? 4 : sizeof(result_type) <= 8 ? 2 : 1; // rows of a lane
constexpr int strip_rows = lanes * height, chunk_steps = lanes;
constexpr bool staged = sizeof(result_type) <= 16;
constexpr int stage_columns = 2 * chunk_steps;

using result_value = values<result_type, 1>;

template <class Shuffle> inline result_value shuffled(const result_value& value, const Shuffle& shuffle)
{
    constexpr int words = (sizeof(result_type) + 3) / 4;
    unsigned word[words] = {};
    memcpy(word, &value, sizeof(result_type));
    #pragma unroll
    for (int i = 0; i < words; ++i) word[i] = shuffle(word[i]);
    result_value moved;
    memcpy(&moved, word, sizeof(result_type));
    return moved;
}
inline result_value of_lane_above(const result_value& value)
{
    return shuffled(value, [](unsigned w) { return __shfl_up_sync(0xffffffff, w, 1); });
}
inline result_value of_lane_below(const result_value& value)
{
    return shuffled(value, [](unsigned w) { return __shfl_down_sync(0xffffffff, w, 1); });
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
        look_ahead(0);
    }
    /// Asks for the elements of the next column before they are needed.
    void look_ahead(size_t col)
    {
        if (col >= s.cols) return;
        #pragma unroll
        for (int k = 0; k < height; ++k)
            if (k < count) next[k] = load(s, row + k, col);
    }
    void step(size_t col, const result_value& top)
    {
        values<element, height> x = next;
        look_ahead(col + 1);
        result_value above = top, before = diagonal;
        #pragma unroll
        for (int k = 0; k < height; ++k) {
            if (k >= count) break;
            x[k].before = skelrt::before2<result_type>(last[k], above[0], before[0]);
            before[0] = last[k];
            last[k] = evaluate(x[k], u, s.row + row + k, s.col + col);
            above[0] = last[k];
        }
        diagonal = top;
    }
};

extern "C" __global__ void __launch_bounds__(lanes) wavefront_strips(const __grid_constant__ grids p)
{
    __shared__ values<result_type, staged ? strip_rows * stage_columns : 1> stage;
    const int lane = threadIdx.x;
    unsigned strip = 0;
    if (lane == 0) strip = unsigned(atomicAdd(p.r.states, 1ull));
    strip = __shfl_sync(0xffffffff, strip, 0);
    volatile unsigned long long* const done = p.r.states + 1; // columns of each strip
    size_t skip = strip;
    int n = 0;
    for (;; ++n) {
        const size_t strips = divide_up(p.at[n].rows, strip_rows);
        if (skip < strips) break;
        skip -= strips;
    }
    const grid& s = p.at[n];
    const size_t first = skip * strip_rows, cols = s.cols;
    const int count = s.rows - first < strip_rows ? int(s.rows - first) : strip_rows;
    const int last_lane = (count - 1) / height;
    row_above top{p.r.stored, p.r.chunk};
    if (first > 0) top = {&s.out.at(first - 1, 0), s.out.stride};
    else if (n > 0) top = {&p.at[n - 1].out.at(p.at[n - 1].rows - 1, 0), p.at[n - 1].out.stride};
    lane_rows mine(s, p.u, first + lane * height);
    size_t seen = 0; // columns that the strip above has done

    for (size_t begin = 0; begin < cols + last_lane; begin += chunk_steps) {
        const size_t wanted = begin + chunk_steps < cols ? begin + chunk_steps : cols;
        if (strip > 0 && seen < wanted) {
            if (lane == 0)
                while ((seen = done[strip - 1]) < wanted) {}
            seen = __shfl_sync(0xffffffff, seen, 0);
            __threadfence();
        }
        result_value above;
        if (begin + lane < cols) above = top.at(p.u, begin + lane);
        for (int i = 0; i < chunk_steps; ++i) {
            result_value bottom;
            bottom[0] = mine.last[height - 1];
            const result_value from_above = of_lane_above(bottom);
            const size_t step = begin + i, col = step - lane;
            if (mine.count > 0 && step >= lane && col < cols) {
                mine.step(col, lane == 0 ? above : from_above);
                #pragma unroll
                for (int k = 0; k < height; ++k) {
                    if (k >= mine.count) break;
                    if (staged) stage[(lane * height + k) * stage_columns + int(col % stage_columns)] = mine.last[k];
                    if (!staged || lane * height + k + 1 == count)
                        generated::put(&s.out.at(mine.row + k, col), mine.last[k]);
                }
            }
            above = of_lane_below(above); // lane 0 has what comes next
        }
        __threadfence();
        __syncwarp();
        const size_t steps = begin + chunk_steps, ready = steps > last_lane ? steps - last_lane : 0;
        if (lane == 0) done[strip] = ready < cols ? ready : cols;
        // All lanes have left the chunk of columns before this one.
        const size_t col = begin - chunk_steps + lane;
        if (staged && begin > 0 && col < cols)
            for (int r = 0; r < count; ++r)
                generated::put(&s.out.at(first + r, col), stage[r * stage_columns + int(col % stage_columns)]);
        __syncwarp();
    }
    if (!staged) return;
    // What the last steps left: those of the last two chunks of columns that are not stored yet.
    const size_t chunks = divide_up(cols + last_lane, chunk_steps), stored = (chunks - 1) * chunk_steps;
    for (size_t col = stored + lane; col < cols; col += lanes)
        for (int r = 0; r < count; ++r)
            generated::put(&s.out.at(first + r, col), stage[r * stage_columns + int(col % stage_columns)]);
}

} // namespace skelrt::generated
)cuda";

namespace
{

/// The same numbers as in the text above.
std::size_t strip_rows(const recipe& what)
{
    return warp_lanes * (what.result_size <= 4 ? 4 : what.result_size <= 8 ? 2 : 1);
}

class strips
{
public:
    strips(const work& w, const program& p, cudaStream_t stream) : work_(w), program_(p), stream_(stream) {}

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
            count += divided_up(work_.segments[first].rows, strip_rows(work_.what));
            last = first;
        }
        if (count == 0) return first;
        block.set_reduction(above_step_, block.segments(), front::nothing, nullptr);
        block.set_scan(work_.scratch.data, nullptr, count, above_);
        clear(count);
        run(program_.columns, {count}, warp_lanes, block.data(), stream_);
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

std::size_t wavefront_scratch(const recipe& what, std::size_t elements, std::size_t columns)
{
    const std::size_t rows = columns == 0 ? 0 : elements / columns;
    return 8 * (2 + rows / strip_rows(what) + std::min(rows, most_segments));
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
