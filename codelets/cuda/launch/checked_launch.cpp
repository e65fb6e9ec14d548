// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/checked_launch.hpp"

#include "codelets/index_fault.hpp"
#include "src/function/cuda/checks.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <string>

namespace skelrt::detail::cuda
{
namespace
{

void check(cudaError_t result, const char* what)
{
    if (result != cudaSuccess) throw error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(result));
}

} // namespace

checked_launch::checked_launch(const cuda_binary& program, cudaStream_t stream)
    : fault_(find_variable(program, cuda_fault_variable)), stream_(stream)
{
    check(cudaMemsetAsync(fault_, 0, sizeof(index_fault), stream_), "cannot prepare the check of indices");
}

void checked_launch::look(const work& what) const
{
    index_fault found{};
    check(cudaMemcpyAsync(&found, fault_, sizeof found, cudaMemcpyDefault, stream_),
          "cannot read the check of indices");
    check(cudaStreamSynchronize(stream_), "a kernel whose indices are checked failed");
    if (found.found != 0) throw_index_fault(what.what, found);
}

} // namespace skelrt::detail::cuda
