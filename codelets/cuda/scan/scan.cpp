// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/scan/scan.hpp"
#include "codelets/cuda/scan/chain.hpp"
#include "codelets/cuda/source.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>

/// Running values through everything: one chain of tiles through all segments of a launch.
namespace skelrt::detail::cuda
{

const char* const scan_flat_text = R"cuda(
namespace skelrt::generated
{

template <class Reader, class Parameters> inline void scan_all(const Parameters& p)
{
    const tile_place at = place_of_block<Reader>(p, tile_size<Reader>);
    const auto& s = p.at[at.segment];
    scan_any_tile<Reader>(s, p, at.tile * tile_size<Reader>, Reader::count(s), blockIdx.x, 0);
}

#if SKELRT_LINES
extern "C" __global__ void __launch_bounds__(tile_threads, tile_blocks) scan_packed(const __grid_constant__ lines p) { scan_all<packed_reader>(p); }
extern "C" __global__ void __launch_bounds__(tile_threads, tile_blocks) scan_linear(const __grid_constant__ lines p) { scan_all<linear_reader>(p); }
#endif
extern "C" __global__ void __launch_bounds__(tile_threads, tile_blocks) scan_strided(const __grid_constant__ grids p) { scan_all<strided_reader>(p); }

} // namespace skelrt::generated
)cuda";

namespace
{

class flat_scan
{
public:
    flat_scan(const work& w, const program& p, cudaStream_t stream)
        : work_(w), program_(p), stream_(stream), scratch_(w.what, 1), front_(first_front(w))
    {
        for (std::size_t s = 0; s < w.segments.size(); ++s)
            if (count_of(w.segments[s]) > 0) access_ = std::max(access_, access_of(w, s, p.shape));
        tile_ = scan_tile_elements(w.what, p.tile_threads) * (access_ == access::packed ? p.shape.pack : 1);
    }

    void run_all()
    {
        for (std::size_t first = 0; first < work_.segments.size();) first = run_some(first);
    }

private:
    /// Launches for as many segments from `first` on as one launch takes; returns the next.
    std::size_t run_some(std::size_t first)
    {
        const bool strided = access_ == access::strided;
        const std::size_t most = strided ? program_.layout.grids : program_.layout.lines;
        parameter_block block{program_.layout};
        block.set_uniforms(work_);
        chain_tiles tiles;
        for (; first < work_.segments.size() && block.segments() < most; ++first) {
            if (count_of(work_.segments[first]) == 0) continue;
            const slot_view& out = work_.slot(first, work_.what.slots.size() - 1);
            if (strided) block.add_grid(work_, first, out.data, out.ld, out.stride);
            else block.add_line(work_, first, out.data);
            tiles.add(divided_up(count_of(work_.segments[first]), tile_));
        }
        if (tiles.count() == 0) return first;
        block.set_reduction(tiles.each(), 0, front_, work_.start);
        block.set_scan(scratch_.states(work_), scratch_.carry(work_), tiles.count());
        clear_states(scratch_.states(work_), tiles.count(), work_.what, stream_);
        run(program_.walk[static_cast<std::size_t>(access_)], {tiles.count()}, program_.tile_threads, block.data(),
            stream_);
        front_ = front::stored;
        return first;
    }

    const work& work_;
    const program& program_;
    cudaStream_t stream_;
    scan_scratch_layout scratch_;
    front front_;
    access access_ = access::packed;
    std::size_t tile_ = 0;
};

} // namespace

void clear_states(void* states, std::size_t count, const recipe& what, cudaStream_t stream)
{
    const cudaError_t result =
        cudaMemsetAsync(states, 0, count * scan_scratch_layout::state_bytes(what.result_size), stream);
    if (result != cudaSuccess)
        throw error("CUDA: cannot clear a scan's states: " + std::string(cudaGetErrorString(result)));
}

void launch_scan(const work& what, const program& kernels, cudaStream_t stream)
{
    flat_scan{what, kernels, stream}.run_all();
}

std::size_t scan_scratch(const recipe& what, std::size_t elements, unsigned block)
{
    const std::size_t tile = scan_tile_elements(what, block > 0 ? block : scan_threads());
    return scan_scratch_layout(what, 1).bytes(elements / tile + most_segments, what);
}

} // namespace skelrt::detail::cuda
