// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the rivals share: memory, a clock, and the name of the GPU. Included by one file of a program, its rival.cu.

#include <chrono>
#include <cstddef>

#include <cuda_runtime.h>

namespace apps::rival
{

/// Device memory that is gone at the end of a scope.
struct buffer {
    void* data = nullptr;
    explicit buffer(std::size_t bytes)
    {
        if (cudaMalloc(&data, bytes) != cudaSuccess) data = nullptr;
    }
    ~buffer() { cudaFree(data); }
    buffer(const buffer&) = delete;
    buffer& operator=(const buffer&) = delete;
    template <class T>
    T* as() const
    {
        return static_cast<T*>(data);
    }
};

/// Null, or why there is nothing to run on.
inline const char* no_gpu()
{
    int gpus = 0;
    return cudaGetDeviceCount(&gpus) == cudaSuccess && gpus > 0 ? nullptr
                                                                : "there is no NVIDIA GPU with a driver here";
}

/// Calls `launch` untimed + repeat times, each until the GPU is done, with the time of each counted one in seconds[i].
template <class Launch>
cudaError_t time_runs(int untimed, int repeat, double* seconds, const Launch& launch)
{
    cudaError_t result = cudaSuccess;
    for (int i = -untimed; i < repeat && result == cudaSuccess; ++i) {
        const auto start = std::chrono::steady_clock::now();
        launch();
        result = cudaGetLastError();
        if (result == cudaSuccess) result = cudaDeviceSynchronize();
        if (i >= 0) seconds[i] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return result;
}

inline const char* text_of(cudaError_t status) { return status == cudaSuccess ? nullptr : cudaGetErrorString(status); }

const char* gpu_name()
{
    static cudaDeviceProp properties{};
    return cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? properties.name : "";
}

} // namespace apps::rival
