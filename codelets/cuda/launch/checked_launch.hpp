// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/jit/nvrtc.hpp"

#include "codelets/work.hpp"

#include <driver_types.h>

/// SKELRT_CHECK=bounds: kernels note the first index that asks for what is not there in a variable of their program.
namespace skelrt::detail::cuda
{

/// From before a task's kernels are enqueued until they have ended. One thread launches on a device, so the variable is
/// its own.
class checked_launch
{
public:
    checked_launch(const cuda_binary& program, cudaStream_t stream);
    checked_launch(const checked_launch&) = delete;
    checked_launch& operator=(const checked_launch&) = delete;

    /// Waits for the kernels; throws bounds_error if they have noted an index.
    void look(const work& what) const;

private:
    void* fault_;
    cudaStream_t stream_;
};

} // namespace skelrt::detail::cuda
