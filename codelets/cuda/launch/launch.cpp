// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/launch/checked_launch.hpp"
#include "codelets/cuda/launch/launchers.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

namespace skelrt::detail::cuda
{

void check(const recipe& what, std::string_view arch, const kernel_variant& variant)
{
    program kernels{what, variant};
    build(kernels, arch, false);
}

std::size_t scratch_bytes(const recipe& what, std::size_t elements, std::size_t columns, unsigned block)
{
    switch (what.kind) {
    case skeleton::map:
    case skeleton::stencil:
    case skeleton::accumulate:
    case skeleton::all_pairs:
        return 0;
    case skeleton::filter:
        return filter_scratch(what, elements, block);
    case skeleton::reduce:
        return reduce_scratch(what);
    case skeleton::reduce_rows:
        return reduce_rows_scratch(what);
    case skeleton::reduce_columns:
        return std::min(reduce_columns_scratch(what, columns), elements * what.result_size);
    case skeleton::scan:
        return scan_scratch(what, elements, block);
    case skeleton::scan_rows:
        return scan_rows_scratch(what, elements, block);
    case skeleton::scan_columns:
        return scan_columns_scratch(what, elements, columns, block);
    case skeleton::sort:
        return sort_scratch_bytes(what, elements, block);
    case skeleton::wavefront:
        return wavefront_scratch(what, elements, columns, block);
    }
    return 0;
}

namespace
{

void launch_kernels(const work& what, const program& kernels, cudaStream_t stream)
{
    switch (what.what.kind) {
    case skeleton::all_pairs:
        return launch_all_pairs(what, kernels, stream);
    case skeleton::map:
        return launch_map(what, kernels, stream);
    case skeleton::stencil:
        return what.red_black() ? launch_red_black(what, kernels, stream) : launch_stencil(what, kernels, stream);
    case skeleton::accumulate:
        return launch_accumulate(what, kernels, stream);
    case skeleton::filter:
        return launch_filter(what, kernels, stream);
    case skeleton::reduce:
        return launch_reduce(what, kernels, stream);
    case skeleton::reduce_rows:
        return launch_reduce_rows(what, kernels, stream);
    case skeleton::reduce_columns:
        return launch_reduce_columns(what, kernels, stream);
    case skeleton::scan:
        return launch_scan(what, kernels, stream);
    case skeleton::scan_rows:
        return launch_scan_rows(what, kernels, stream);
    case skeleton::scan_columns:
        return launch_scan_columns(what, kernels, stream);
    case skeleton::sort:
        return launch_sort(what, kernels, stream);
    case skeleton::wavefront:
        return launch_wavefront(what, kernels, stream);
    }
}

} // namespace

void launch(const work& what, cudaStream_t stream)
{
    const program& kernels = program_for(what.what, {what.red_black() ? 1 : what.steps, what.color >= 0, what.block});
    if (!kernels.checked) return launch_kernels(what, kernels, stream);
    const checked_launch watched(*kernels.checked, stream);
    launch_kernels(what, kernels, stream);
    watched.look(what);
}

void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream)
{
    if (bytes == 0) return;
    const cudaError_t result = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
    if (result != cudaSuccess)
        throw error("CUDA: cannot copy " + std::to_string(bytes) + " bytes: " + cudaGetErrorString(result));
}

} // namespace skelrt::detail::cuda
