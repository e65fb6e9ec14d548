// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/jit/lanes/stream_point.hpp"

#include <cuda_runtime_api.h>

#include <string>

namespace skelrt::detail
{

constexpr int most_devices = 64; ///< of one process

/// The number of the calling thread's CUDA device.
inline int device_now()
{
    int device = 0;
    check_cuda(cudaGetDevice(&device), "no current device");
    return device;
}

/// Makes a CUDA device current for a scope. Throws error if it cannot be used.
class current_device
{
public:
    explicit current_device(int device) : before_(device_now())
    {
        check_cuda(cudaSetDevice(device), ("cannot use device " + std::to_string(device)).c_str());
    }
    current_device(const current_device&) = delete;
    current_device& operator=(const current_device&) = delete;
    ~current_device() { cudaSetDevice(before_); }

private:
    int before_;
};

} // namespace skelrt::detail
