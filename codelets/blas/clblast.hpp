// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/blas/library.hpp"
#include "codelets/work.hpp"

#include <CL/cl.h>

/// Products on OpenCL devices that are no CPUs.
namespace skelrt::detail::blas::opencl
{

/// Opens CLBlast if the call is a product, and has it build its kernels for a device: about a second the first time.
/// Without CLBlast, or if the device's compiler refuses its kernels, it does nothing, and ours serve.
void prepare(const recipe& what, cl_context context, cl_device_id device);

/// Enqueues the product, of matrices or of one and a vector (vector_product_of()); false: it is not for CLBlast, and
/// nothing was done.
bool multiply(const work& w, cl_context context, cl_device_id device, cl_command_queue queue);

/// What was made for all queues, before StarPU's contexts go.
void release() noexcept;

/// Opens it.
found_library find_library();

} // namespace skelrt::detail::blas::opencl
