// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/cuda_faults.hpp"

#include "src/runtime/log.hpp"

#include <skelrt/detail/api.hpp>

#include <cuda_runtime_api.h>

#include <cstdlib>

namespace skelrt::detail
{

namespace
{

thread_local const char* last_call = nullptr;

} // namespace

void note_cuda_call(const char* name) noexcept { last_call = name; }

} // namespace skelrt::detail

/// In the place of StarPU's function of this name, which its driver calls for every error of CUDA, and which says less.
extern "C" SKELRT_API void starpu_cuda_report_error(const char* function, const char* file, int line,
                                                    cudaError_t status)
{
    int device = -1;
    cudaGetDevice(&device);
    const char* const call = skelrt::detail::last_call;
    if (status == cudaErrorInitializationError)
        skelrt::detail::log_error(
            "CUDA cannot be used in the child of a process that has used it: fork first, or let the "
            "child exec");
    skelrt::detail::log_error(
        "CUDA device {} has failed: {}; the last call that it was given is {}. A kernel that reads "
        "or writes outside its data does this (SKELRT_CHECK=bounds finds it). StarPU cannot go on "
        "without a device, and ends the process (in {}, {}:{})",
        device, cudaGetErrorString(status), call ? call : "none", function, file, line);
    std::abort();
}
