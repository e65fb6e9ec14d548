// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace bench
{

inline void cuda_check(cudaError_t status)
{
    if (status != cudaSuccess) throw std::runtime_error(std::string("rival in CUDA: ") + cudaGetErrorString(status));
}

} // namespace bench
