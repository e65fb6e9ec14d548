// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/runtime.hpp>

namespace apps::blas
{

/// Where kernels of these functions may run: with CUDA only if both libraries can be opened; says on the standard error
/// output what is missing. What takes long in a first call is done here, so that no task's time is that of it.
skelrt::device_set usable_kinds(const skelrt::runtime& rt);

} // namespace apps::blas
