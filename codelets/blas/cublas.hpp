#pragma once

#include "codelets/blas/library.hpp"
#include "codelets/work.hpp"

#include <driver_types.h>

/// Products on NVIDIA's GPUs.
namespace skelrt::detail::blas::cuda
{

/// Opens cuBLAS if the call is a product, and makes what a device needs for it: some hundred milliseconds the first
/// time, little afterwards. Without cuBLAS it does nothing, and our kernels serve.
void prepare(const recipe& what, int device);

/// Enqueues the product on a stream of the current device; false: it is not for cuBLAS, and nothing was done. Allocates
/// nothing, but for the first call on a stream that prepare() did not know of.
bool multiply(const work& w, cudaStream_t stream);

/// What was made for all devices and streams, before StarPU and the devices go.
void release() noexcept;

/// Opens it.
found_library find_library();

} // namespace skelrt::detail::blas::cuda
