// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

/// What drivers say of their devices' speed.
namespace skelrt::detail
{

/// Bytes and floating-point operations per microsecond; 0: the driver does not say.
struct driver_peaks {
    double memory = 0, fp32 = 0, fp64 = 0;
    bool is_cpu = false; ///< the host's cores under another name
};

/// Nothing without the device, or without its driver. `number`: CUDA's.
std::optional<driver_peaks> ask_cuda_peaks(int number) noexcept;
/// `device`: a cl_device_id.
std::optional<driver_peaks> ask_opencl_peaks(void* device) noexcept;

} // namespace skelrt::detail
