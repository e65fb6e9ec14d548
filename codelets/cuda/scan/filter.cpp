// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include <skelrt/error.hpp>

#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/scan/chain.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <vector>

/// A single pass with decoupled look-back, as for scans, but the running value is a number of elements: one 64-bit word
/// holds it and its status, and additions may be done in any order.
namespace skelrt::detail::cuda
{

const char* const filter_text = R"cuda(
namespace skelrt::generated
{

/// Results number `begin` and following go there.
struct destination {
    size_t begin;
    result_type* data;
};

enum : unsigned long long { of_tile = 1ull << 62, of_all = 2ull << 62, number = of_tile - 1 };

/// Tells the tiles behind what is in this one, and if it is the first, all.
inline void publish(unsigned long long* states, size_t tile, size_t own, size_t before_first)
{
    volatile unsigned long long* const all = states;
    all[tile] = tile == 0 ? of_all | (before_first + own) : of_tile | own;
}

/// How many results are in front of a tile, which has published its `own`. One warp of the block calls; all of its
/// lanes get it. Tiles are looked at 32 at a time, from the nearest on, up to one that knows what is in front of it.
inline size_t results_before(unsigned long long* states, size_t tile, size_t own, size_t before_first)
{
    if (tile == 0) return before_first;
    const int lane = threadIdx.x % lanes;
    volatile unsigned long long* const all = states;
    unsigned long long sum = 0;
    pause between;
    between.take(); // by then most tiles in front know what is in front of them, and few have to be looked at
    for (size_t end = tile;; end -= lanes) { // tile 0 knows: no warp looks beyond it
        unsigned long long seen;
        int stop;
        for (bool ready = false; !ready;) {
            seen = lane < end ? all[end - 1 - lane] : of_all;
            const unsigned missing = __ballot_sync(0xffffffff, seen == 0);
            const unsigned complete = __ballot_sync(0xffffffff, (seen & of_all) != 0);
            stop = complete ? __ffs(complete) - 1 : lanes;
            ready = (missing & (complete ? (1u << stop) - 1 : 0xffffffff)) == 0;
            if (!ready) between.take();
        }
        unsigned long long part = lane <= stop && lane < end ? seen & number : 0;
        #pragma unroll
        for (int step = lanes / 2; step > 0; step /= 2) part += __shfl_xor_sync(0xffffffff, part, step);
        sum += part;
        if (stop < lanes) break;
    }
    if (lane == 0) all[tile] = of_all | (sum + own);
    return sum;
}

/// Writes results; a thread's numbers ascend. There is a segment for each of them.
class results_writer
{
public:
    /// `first`: the segment of a result with a number that is not larger.
    results_writer(const destination* all, int count, int first) : all_(all), count_(count), at_(first) { enter(); }
    void put(size_t i, const result_type& y)
    {
        while (i >= next_) {
            ++at_;
            enter();
        }
        base_[i - begin_] = y;
    }

private:
    void enter()
    {
        begin_ = all_[at_].begin;
        base_ = all_[at_].data;
        next_ = at_ + 1 < count_ ? all_[at_ + 1].begin : ~size_t(0);
    }
    const destination* all_;
    int count_, at_;
    size_t begin_, next_;
    result_type* base_;
};

template <class Reader> constexpr size_t tile_size = size_t(threads) * depth * Reader::width;
/// Where results are small they leave by way of shared memory, neighbours side by side.
template <class Reader> constexpr bool staged = tile_size<Reader> * sizeof(result_type) <= 32768;

/// How many elements of each row are results: some rows to a word, so that a warp adds them up together. Of a warp's
/// `Width` elements a lane there are fewer in a row than a field of its word can say.
template <int Width> class row_counts
{
public:
    void add(int row, bool one) { words_[row / fields] += unsigned(one) << row % fields * bits; }
    unsigned of(int row) const { return field(words_[row / fields], row); }
    /// Afterwards with those of the lanes in front.
    void scan(int lane)
    {
        #pragma unroll
        for (int w = 0; w < count; ++w)
            #pragma unroll
            for (int step = 1; step < lanes; step *= 2) {
                const unsigned left = __shfl_up_sync(0xffffffff, words_[w], step);
                if (lane >= step) words_[w] += left;
            }
        #pragma unroll
        for (int w = 0; w < count; ++w) of_warp_[w] = __shfl_sync(0xffffffff, words_[w], lanes - 1);
    }
    /// After scan().
    unsigned of_warp(int row) const { return field(of_warp_[row / fields], row); }

private:
    static constexpr int bits = lanes * Width < 256 ? 8 : 16, fields = 32 / bits, count = (depth + fields - 1) / fields;
    static unsigned field(unsigned word, int row) { return word >> row % fields * bits & ((1u << bits) - 1); }
    unsigned words_[count] = {}, of_warp_[count] = {};
};

/// What a block shares.
template <class Reader> struct filter_room {
    values<result_type, staged<Reader> ? int(tile_size<Reader>) : 1> results;
    size_t front;
    unsigned of_warp[warps];
};

/// How many elements of each segment are results, and for the next launch, how many there are so far.
template <class Parameters> inline void tell(const Parameters& p, const destination* to, size_t total)
{
    unsigned long long* const counts = reinterpret_cast<unsigned long long*>(p.r.carry);
    for (size_t n = threadIdx.x; n < p.r.group; n += threads) {
        const size_t room = to[n + 1].begin - to[n].begin, left = total < to[n].begin ? 0 : total - to[n].begin;
        counts[n] = left < room ? left : room;
    }
}

/// p.r.stored: the number of results in front of the launch, then the destinations of all p.r.group segments of the
/// work, and their end.
template <class Reader, bool Full, class Segment, class Parameters>
inline void filter_tile(const Segment& s, const Parameters& p, size_t begin, size_t end, size_t tile,
                        filter_room<Reader>& room)
{
    constexpr int width = Reader::width;
    constexpr size_t row = size_t(lanes) * width;
    const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
    const size_t from = begin + warp * (depth * row);

    typename Reader::registers x[Full ? depth : 1];
    if (Full)
        #pragma unroll
        for (int j = 0; j < depth; ++j) Reader::load(x[j], s, from + j * row + lane * width);
    // Of a filter that keeps others: the second walk takes those, and goes on behind the results of the first.
    const bool takes_others = keeps_others && p.r.front == 2;
    values<result_type, width> own[depth];
    unsigned keeps[depth]; // bits of the lane's elements
    row_counts<width> mine;
    #pragma unroll
    for (int j = 0; j < depth; ++j) {
        keeps[j] = 0;
        #pragma unroll
        for (int k = 0; k < width; ++k) {
            const size_t i = from + j * row + lane * width + k;
            bool keep = false;
            if (Full) {
                const evaluated e = Reader::value(x[Full ? j : 0], k, s, p.u, i - k);
                own[j][k] = e.value;
                keep = e.keep != takes_others;
            } else if (i < end) {
                const evaluated e = Reader::single(s, p.u, i);
                own[j][k] = e.value;
                keep = e.keep != takes_others;
            }
            mine.add(j, keep);
            keeps[j] |= unsigned(keep) << k;
        }
    }
    row_counts<width> in_warp = mine;
    in_warp.scan(lane);
    unsigned place[depth], kept = 0; // results of the warp in front of the lane's
    #pragma unroll
    for (int j = 0; j < depth; ++j) {
        place[j] = kept + in_warp.of(j) - mine.of(j);
        kept += in_warp.of_warp(j);
    }
    if (lane == 0) room.of_warp[warp] = kept;
    __syncthreads();
    unsigned in_front = 0, total = 0; // of the warp; of the tile
    #pragma unroll
    for (int w = 0; w < warps; ++w) {
        if (w < warp) in_front += room.of_warp[w];
        total += room.of_warp[w];
    }
    const unsigned long long* const so_far = reinterpret_cast<const unsigned long long*>(p.r.stored);
    const destination* const to = reinterpret_cast<const destination*>(so_far + 2);
    if (threadIdx.x == 0) publish(p.r.states, tile, total, *so_far);
    if (staged<Reader>)
        #pragma unroll
        for (int j = 0; j < depth; ++j)
            #pragma unroll
            for (int k = 0; k < width; ++k)
                if (keeps[j] >> k & 1) room.results[in_front + place[j]++] = own[j][k];
    if (warp == 0) {
        const size_t front = results_before(p.r.states, tile, total, *so_far);
        if (lane == 0) room.front = front;
    }
    __syncthreads();
    const size_t front = room.front;
    int first = -1; // the segment of the first result
    for (size_t n = 0; n < p.r.group; n += threads)
        first += __syncthreads_count(n + threadIdx.x < p.r.group && to[n + threadIdx.x].begin <= front);
    results_writer out(to, int(p.r.group), first);
    if (staged<Reader>) {
        for (unsigned i = threadIdx.x; i < total; i += threads) out.put(front + i, room.results[i]);
    } else {
        #pragma unroll
        for (int j = 0; j < depth; ++j)
            #pragma unroll
            for (int k = 0; k < width; ++k)
                if (keeps[j] >> k & 1) out.put(front + in_front + place[j]++, own[j][k]);
    }
    if (tile + 1 != p.r.tiles) return;
    if (!takes_others) tell(p, to, front + total);
    // Tile 0 has read it: what is in front of this tile began there.
    if (threadIdx.x == 0) *const_cast<unsigned long long*>(so_far) = front + total;
}

template <class Reader, class Parameters> inline void filter_all(const Parameters& p)
{
    constexpr size_t size = tile_size<Reader>;
    const tile_place at = place_of_block<Reader>(p, size);
    const auto& s = p.at[at.segment];
    const size_t begin = at.tile * size, count = Reader::count(s);
    __shared__ filter_room<Reader> room;
    if (count - begin >= size) filter_tile<Reader, true>(s, p, begin, begin + size, blockIdx.x, room);
    else filter_tile<Reader, false>(s, p, begin, count, blockIdx.x, room);
}

#if SKELRT_LINES
extern "C" __global__ void __launch_bounds__(threads, filter_blocks) filter_packed(const __grid_constant__ lines p) { filter_all<packed_reader>(p); }
extern "C" __global__ void __launch_bounds__(threads, filter_blocks) filter_linear(const __grid_constant__ lines p) { filter_all<linear_reader>(p); }
#endif
extern "C" __global__ void __launch_bounds__(threads, filter_blocks) filter_strided(const __grid_constant__ grids p) { filter_all<strided_reader>(p); }

} // namespace skelrt::generated
)cuda";

namespace
{

/// As the kernels' struct destination.
struct destination {
    std::size_t begin;
    void* data;
};

constexpr std::size_t most_destinations = 1024; ///< segments of a work; plans have far fewer in one

std::size_t filter_depth(const recipe& what) { return what.result_size <= 16 ? 4 : what.result_size <= 32 ? 2 : 1; }

class filtering
{
public:
    filtering(const work& w, const program& p, cudaStream_t stream) : work_(w), program_(p), stream_(stream)
    {
        for (std::size_t s = 0; s < w.segments.size(); ++s)
            if (count_of(w.segments[s]) > 0) access_ = std::max(access_, access_of(w, s, p.shape));
        tile_ = p.threads * filter_depth(w.what) * (access_ == access::packed ? p.shape.pack : 1);
    }

    void run_all()
    {
        write_table();
        walk(front::nothing);
        if (work_.what.keeps_others) walk(front::stored);
    }

private:
    /// Over all elements, behind what is in front.
    void walk(front in_front)
    {
        for (std::size_t first = 0; first < work_.segments.size();) first = run_some(first, in_front);
    }

    void* states() const
    {
        return static_cast<std::byte*>(work_.scratch.data) + 16 + (most_destinations + 1) * sizeof(destination);
    }

    /// Two words (no results yet), then where they go.
    void write_table()
    {
        const std::size_t n = work_.segments.size();
        if (n > most_destinations)
            throw error(work_.what.name + ": " + std::to_string(n) + " tiles in one task; use fewer (set_tiles)");
        std::vector<destination> table(n + 2, destination{0, nullptr});
        for (std::size_t s = 0; s < n; ++s) {
            table[s + 1].data = work_.slot(s, work_.what.slots.size() - 1).data;
            table[s + 2].begin = table[s + 1].begin + count_of(work_.segments[s]);
        }
        copy(work_.scratch.data, table.data(), table.size() * sizeof(destination), stream_);
    }

    /// Launches for as many segments from `first` on as one launch takes; returns the next.
    std::size_t run_some(std::size_t first, front in_front)
    {
        const bool strided = access_ == access::strided;
        const std::size_t most = strided ? program_.layout.grids : program_.layout.lines;
        parameter_block block{program_.layout};
        block.set_uniforms(work_);
        chain_tiles tiles;
        for (; first < work_.segments.size() && block.segments() < most; ++first) {
            if (count_of(work_.segments[first]) == 0) continue;
            if (strided) block.add_grid(work_, first, nullptr, 0, 0);
            else block.add_line(work_, first, nullptr);
            tiles.add(divided_up(count_of(work_.segments[first]), tile_));
        }
        if (tiles.count() == 0) return first;
        block.set_reduction(tiles.each(), work_.segments.size(), in_front, nullptr);
        block.set_scan(states(), work_.result.data, tiles.count(), work_.scratch.data);
        const cudaError_t cleared = cudaMemsetAsync(states(), 0, tiles.count() * sizeof(std::uint64_t), stream_);
        if (cleared != cudaSuccess) throw error(work_.what.name + ": CUDA: " + cudaGetErrorString(cleared));
        run(program_.walk[static_cast<std::size_t>(access_)], {tiles.count()}, program_.threads, block.data(), stream_);
        return first;
    }

    const work& work_;
    const program& program_;
    cudaStream_t stream_;
    access access_ = access::packed;
    std::size_t tile_ = 0;
};

} // namespace

void launch_filter(const work& what, const program& kernels, cudaStream_t stream)
{
    filtering{what, kernels, stream}.run_all();
}

std::size_t filter_scratch(const recipe& what, std::size_t elements, unsigned block)
{
    const std::size_t tiles = elements / (threads_of(block) * filter_depth(what)) + most_segments;
    return 16 + (most_destinations + 1) * sizeof(destination) + tiles * sizeof(std::uint64_t);
}

std::string filter_constants(const recipe& what, unsigned threads)
{
    const unsigned resident = std::max(6 * block_threads / threads, 1u);
    return "namespace skelrt::generated\n{\nconstexpr int depth = " + std::to_string(filter_depth(what)) +
           ", filter_blocks = " + std::to_string(what.result_size <= 4 ? resident : 1) +
           ";\nconstexpr bool keeps_others = " + (what.keeps_others ? "true" : "false") +
           ";\n} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
