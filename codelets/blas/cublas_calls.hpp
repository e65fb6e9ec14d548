// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/blas/gemm.hpp"
#include "codelets/blas/library.hpp"

#include <driver_types.h>

#include <cstddef>

/// cuBLAS's functions, in our words. What fails throws error.
namespace skelrt::detail::blas::cuda
{

/// Opens the library the first time.
found_library find_functions();

/// A handle on the current device.
void* create_handle();
void destroy_handle(void* blas) noexcept;
void set_stream(void* blas, cudaStream_t stream);
void set_workspace(void* blas, void* memory, std::size_t bytes);

/// Enqueues a product of elements of a device.
void enqueue(void* blas, const gemm& g, numbers n, const gemm_factors& by);

/// So many equal products: each begins so many elements behind the one before it.
struct gemm_steps {
    std::size_t count, left, right, result;
};
void enqueue(void* blas, const gemm& first, const gemm_steps& steps, numbers n, const gemm_factors& by);

} // namespace skelrt::detail::blas::cuda
