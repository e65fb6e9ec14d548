// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Errors that CUDA keeps: after an illegal address or the like a device answers every call with it, and StarPU, which
/// cannot go on without a device that it uses, ends the process. Then the library says first which call that was.
namespace skelrt::detail
{

/// The calling worker begins with this call. The name lives as long as the process.
void note_cuda_call(const char* name) noexcept;

} // namespace skelrt::detail
