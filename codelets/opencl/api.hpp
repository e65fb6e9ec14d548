// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// OpenCL as the oldest driver has it that the kernels run on.
#include <CL/cl.h>

namespace skelrt::detail::opencl
{

/// Of a recipe's kernels. Those of a stencil make a pass of so many steps. Groups have so many work-items, or, 0, as
/// many as the device likes: one on a CPU.
struct kernel_variant {
    unsigned steps = 1;
    unsigned block = 0;
    friend bool operator==(const kernel_variant&, const kernel_variant&) = default;
};

} // namespace skelrt::detail::opencl
