// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cuda_libraries.hpp"

#include <skelrt/block.hpp>

namespace apps::blas
{

/// What cuBLAS and cuSOLVER want of their callers.
struct cuda_handles {
    cuda_handle blas = nullptr, solver = nullptr;
};

/// Made by the first call on this thread for this stream, which takes up to a second. Throws std::runtime_error.
const cuda_handles& handles_of(skelrt::cuda_stream s);

/// Throws std::runtime_error unless `status` is 0.
void check(int status, const char* what);

} // namespace apps::blas
