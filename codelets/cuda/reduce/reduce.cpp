// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

#include <algorithm>

namespace skelrt::detail::cuda
{

const char* const reduce_text = R"cuda(
namespace skelrt::generated
{

inline result_type* results(const line& s) { return s.out; }
inline result_type* results(const grid& s) { return s.out.data; }

__device__ unsigned done; ///< blocks of this launch; the last one sets it back, for the launch that follows.

/// Whether all other blocks have stored what they came to.
inline bool is_last(unsigned blocks)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(&done, blocks - 1) == blocks - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

/// One block per chunk of a segment; the warps of a block take pieces of the chunk, one after the other. The last block
/// combines what all came to.
template <class Reader, class Parameters> void reduce_chunk(const Parameters& p)
{
    const auto& s = p.at[blockIdx.y];
    const size_t count = Reader::count(s), begin = blockIdx.x * p.r.chunk;
    if (begin >= count) return;
    const size_t end = count - begin < p.r.chunk ? count : begin + p.r.chunk;

    constexpr size_t row = lanes * Reader::width;
    const size_t piece = divide_up(end - begin, warps * row) * row;
    const size_t from = begin + threadIdx.x / lanes * piece, to = from + piece < end ? from + piece : end;
    const running sum = reduce_range<Reader>(s, p.u, from, to, threadIdx.x % lanes, lanes);

    const result_type total = generated::reduce_warps(sum.value[0], int(divide_up(end - begin, piece)));
    const size_t chunks = p.r.group;
    if (chunks == 1) {
        if (threadIdx.x == 0) generated::finish(p.r.total, total, p.r.front, p.r.start);
        return;
    }
    if (threadIdx.x == 0) results(s)[blockIdx.x] = total;
    if (!is_last(unsigned(chunks))) return;
    const result_type all = generated::combine_range(results(p.at[0]), chunks, 1);
    if (threadIdx.x == 0) generated::finish(p.r.total, all, p.r.front, p.r.start);
}

#if SKELRT_LINES
extern "C" __global__ void __launch_bounds__(threads) reduce_packed(const __grid_constant__ lines p) { reduce_chunk<packed_reader>(p); }
extern "C" __global__ void __launch_bounds__(threads) reduce_linear(const __grid_constant__ lines p) { reduce_chunk<linear_reader>(p); }
#endif
extern "C" __global__ void __launch_bounds__(threads) reduce_strided(const __grid_constant__ grids p) { reduce_chunk<strided_reader>(p); }

} // namespace skelrt::generated
)cuda";

namespace
{

/// Blocks that each tell the others of their end, which takes them a microsecond: half as many as elsewhere.
constexpr std::size_t most_chunks = many_blocks / 2;

/// Elements of a chunk: the same for all segments, a whole number of rounds for every warp of a block.
std::size_t chunk_of(std::size_t elements, const kernel_shape& shape, unsigned threads)
{
    const std::size_t round = threads * shape.pack * shape.in_flight;
    return rounded_up(std::max<std::size_t>(divided_up(elements, most_chunks), 1), round);
}

/// Segments first .. last - 1 are reduced by one launch.
struct part {
    std::size_t first, last, chunks;
};

class reduction
{
public:
    reduction(const work& w, const program& p, cudaStream_t stream) : work_(w), program_(p), stream_(stream)
    {
        std::size_t elements = 0;
        for (std::size_t s = 0; s < w.segments.size(); ++s) {
            if (count_of(w.segments[s]) == 0) continue;
            elements += count_of(w.segments[s]);
            // One kind of access for all: their order matters, and mixtures are rare.
            access_ = std::max(access_, access_of(w, s, p.shape));
        }
        chunk_ = chunk_of(elements, p.shape, p.threads);
    }

    void run_all()
    {
        const std::size_t most = access_ == access::strided ? program_.layout.grids : program_.layout.lines;
        front in_front = work_.start ? front::start : front::nothing;
        for (std::size_t first = 0; first < work_.segments.size();) {
            const part now = next_part(first, most);
            first = now.last;
            if (now.chunks == 0) continue;
            reduce_chunks(now, in_front);
            in_front = front::stored;
        }
    }

private:
    part next_part(std::size_t first, std::size_t most) const
    {
        part p{first, first, 0};
        for (std::size_t used = 0; p.last < work_.segments.size(); ++p.last) {
            const std::size_t count = count_of(work_.segments[p.last]);
            if (count == 0) continue;
            if (used++ == most) break;
            p.chunks += divided_up(count, chunk_);
        }
        return p;
    }

    void reduce_chunks(const part& now, front in_front)
    {
        parameter_block block{program_.layout};
        block.set_uniforms(work_);
        block.set_reduction(chunk_, now.chunks, in_front, work_.start);
        block.set_total(work_.result.data);
        value_array results{work_.scratch.data, work_.what.result_size};
        std::size_t most = 0;
        for (std::size_t s = now.first; s < now.last; ++s) {
            const std::size_t chunks = divided_up(count_of(work_.segments[s]), chunk_);
            if (chunks == 0) continue;
            if (access_ == access::strided) block.add_grid(work_, s, results.data, 0, 0);
            else block.add_line(work_, s, results.data);
            results.data = results.at(chunks);
            most = std::max(most, chunks);
        }
        run(program_.walk[static_cast<std::size_t>(access_)], {most, block.segments()}, program_.threads, block,
            stream_);
    }

    const work& work_;
    const program& program_;
    cudaStream_t stream_;
    access access_ = access::packed;
    std::size_t chunk_ = 0;
};

} // namespace

void launch_reduce(const work& what, const program& kernels, cudaStream_t stream)
{
    reduction{what, kernels, stream}.run_all();
}

std::size_t reduce_scratch(const recipe& what) { return (most_chunks + most_segments) * what.result_size; }

} // namespace skelrt::detail::cuda
