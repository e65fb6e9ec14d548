#include "launchers.hpp"
#include "source.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>

namespace skelrt::detail::cuda
{

/// A thread per position. The function adds atomically, so nothing else is in order.
const char* const accumulate_text = R"cuda(
namespace skelrt::generated
{

#if SKELRT_LINES
extern "C" __global__ void __launch_bounds__(threads) each_linear(const __grid_constant__ lines p)
{
    const line& s = p.at[blockIdx.y];
    const size_t i = blockIdx.x * size_t(threads) + threadIdx.x;
    if (i < s.count) evaluate(load(s, i), p.u, s.row, s.col + i);
}
#endif

extern "C" __global__ void __launch_bounds__(threads) each_strided(const __grid_constant__ grids p)
{
    const grid& s = p.at[blockIdx.y];
    const size_t i = blockIdx.x * size_t(threads) + threadIdx.x;
    if (i >= s.rows * s.cols) return;
    const position at = position_of(i, s.cols);
    evaluate(load(s, at.row, at.col), p.u, s.row + at.row, s.col + at.col);
}

} // namespace skelrt::generated
)cuda";

namespace
{

access kind_of(const work& what, std::size_t s, const kernel_shape& shape)
{
    return access_of(what, s, shape) == access::strided ? access::strided : access::linear;
}

/// Successive segments of one kind of access from `first` on, as many as fit in a launch. Returns the next one.
std::size_t launch_part(const work& what, std::size_t first, const program& kernels, cudaStream_t stream)
{
    const access how = kind_of(what, first, kernels.shape);
    const std::size_t most = how == access::strided ? kernels.layout.grids : kernels.layout.lines;
    parameter_block block{kernels.layout};
    block.set_uniforms(what);
    std::size_t largest = 0, s = first;
    for (; s < what.segments.size() && s - first < most && kind_of(what, s, kernels.shape) == how; ++s) {
        if (how == access::strided) block.add_grid(what, s, nullptr, 0, 0);
        else block.add_line(what, s, nullptr);
        largest = std::max(largest, what.segments[s].rows * what.segments[s].cols);
    }
    if (largest == 0) return s;
    run(kernels.walk[static_cast<std::size_t>(how)], {divided_up(largest, block_threads), block.segments()},
        block_threads, block.data(), stream);
    return s;
}

} // namespace

void launch_accumulate(const work& what, const program& kernels, cudaStream_t stream)
{
    const cudaError_t zeroed = cudaMemsetAsync(what.result.data, 0, what.result.cols * what.what.result_size, stream);
    if (zeroed != cudaSuccess) throw error(what.what.name + ": CUDA: " + cudaGetErrorString(zeroed));
    for (std::size_t s = 0; s < what.segments.size();) s = launch_part(what, s, kernels, stream);
}

} // namespace skelrt::detail::cuda
