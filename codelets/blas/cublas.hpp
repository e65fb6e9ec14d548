// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/blas/library.hpp"
#include "codelets/work.hpp"

#include <driver_types.h>

/// Products on NVIDIA's GPUs.
namespace skelrt::detail::blas::cuda
{

/// If the call is a product, begins to load cuBLAS for a device, in a thread of its own: some hundred milliseconds, in
/// which our kernels serve, as they do where there is no cuBLAS.
void load_for(const recipe& what, int device);
/// Until what was begun has ended.
void wait_until_loaded(int device);

/// Enqueues the product on a stream of the current device; false: it is not for cuBLAS, or that is not loaded yet, and
/// nothing was done. Products that are worth it begin to load it. Allocates nothing but at a stream's first call.
bool multiply(const work& w, cudaStream_t stream);

/// The same for products of a matrix and a vector: see vector_product_of().
bool multiply_vectors(const work& w, cudaStream_t stream);

/// The same for the products of planes, see plane_product.hpp.
bool multiply_planes(const work& w, cudaStream_t stream);

/// What was made for all devices and streams, before StarPU and the devices go.
void release() noexcept;

/// Opens it.
found_library find_library();

} // namespace skelrt::detail::blas::cuda
