// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/scratch.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "codelets/cuda/cuda.hpp"
#endif
#if SKELRT_HAVE_OPENCL
#include "codelets/opencl/opencl.hpp"
#endif

#include <algorithm>

namespace skelrt::detail
{

std::size_t scratch_bytes_for(std::span<const target* const> targets, const recipe& r, std::size_t partial_bytes,
                              std::size_t elements, std::size_t columns, std::span<const unsigned> blocks)
{
    if (r.kind == skeleton::map || r.kind == skeleton::all_pairs) return 0;
    std::size_t bytes = 0;
    bool any = false;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const target* const t = targets[i];
        const unsigned block = i < blocks.size() ? blocks[i] : 0;
        static_cast<void>(t), static_cast<void>(block), static_cast<void>(elements), static_cast<void>(columns);
#if SKELRT_HAVE_CUDA
        if (t->kind == device::cuda)
            bytes = std::max(bytes, cuda::scratch_bytes(r, elements, columns, block)), any = true;
#endif
#if SKELRT_HAVE_OPENCL
        if (t->kind == device::opencl) bytes = std::max(bytes, opencl::scratch_bytes(r, elements, columns)), any = true;
#endif
    }
    if (!any) return 0;
    return (partial_bytes + 255) / 256 * 256 + bytes;
}

} // namespace skelrt::detail
