// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt::detail
{

/// Nsight and other tools that listen to NVTX (NVTX_INJECTION64_PATH names them; nsys sets it) are told of calls,
/// tasks, items, waits and builds of kernels, as ranges of the domain "skelrt", from now on. Where none listens nobody
/// is told, and nothing is paid. Needs NVTX's headers, of the CUDA toolkit, where skelrt is built. Any number of times.
void tell_profilers() noexcept;

} // namespace skelrt::detail
