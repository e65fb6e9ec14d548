// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/versions.hpp"

#include "src/config.hpp"

#if SKELRT_HAVE_CUDA

#include "src/jit/nvrtc/library.hpp"

#include <fmt/format.h>

#include <cuda_runtime.h>

namespace skelrt::detail
{

namespace
{

/// CUDA counts 12040 for 12.4, and 0 for a driver that is not there.
std::string version_text(int number)
{
    return number > 0 ? fmt::format("{}.{}", number / 1000, number % 1000 / 10) : "";
}

} // namespace

cuda_versions find_cuda_versions()
{
    int driver = 0, runtime = 0, major = 0, minor = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
    if (cudaRuntimeGetVersion(&runtime) != cudaSuccess) runtime = 0;
    const nvrtc_library& nvrtc = find_nvrtc();
    const bool there = nvrtc.missing.empty() && nvrtc.call.version(&major, &minor) == NVRTC_SUCCESS;
    return {true,
            version_text(driver),
            version_text(runtime),
            there ? fmt::format("{}.{}", major, minor) : "",
            there ? nvrtc.file : "",
            nvrtc.missing};
}

} // namespace skelrt::detail

#else

skelrt::detail::cuda_versions skelrt::detail::find_cuda_versions() { return {}; }

#endif
