// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// Times of work on the GPU, for the two bench programs of this folder.
namespace timing
{

inline constexpr std::size_t elements = std::size_t{256} << 20;
inline constexpr std::size_t tiles = 64;

inline void check(cudaError_t result)
{
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(result));
    std::exit(1);
}

/// Median milliseconds of f on the default stream.
template <class F>
double milliseconds(const F& f)
{
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    std::vector<float> times;
    for (int i = 0; i < 25; ++i) {
        check(cudaEventRecord(begin));
        f();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float time = 0;
        check(cudaEventElapsedTime(&time, begin, end));
        if (i >= 5) times.push_back(time);
    }
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

inline double report(const std::string& name, std::size_t bytes, double ms)
{
    const double rate = static_cast<double>(bytes) / ms * 1e-6;
    std::printf("%-28s %9.4f ms %8.1f GB/s\n", name.c_str(), ms, rate);
    std::fflush(stdout);
    return rate;
}

/// Bytes per second of a device-to-device copy of 2 GiB, read and written ones counted.
inline double copy_rate()
{
    const std::size_t bytes = elements * 8;
    void *from = nullptr, *to = nullptr;
    check(cudaMalloc(&from, bytes));
    check(cudaMalloc(&to, bytes));
    const double rate =
        report("device copy", 2 * bytes,
               milliseconds([&] { check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); }));
    check(cudaFree(from));
    check(cudaFree(to));
    return rate;
}

/// Device memory with zeros, freed at the end of the process.
template <class T>
T* zeros(std::size_t n)
{
    void* memory = nullptr;
    check(cudaMalloc(&memory, n * sizeof(T)));
    check(cudaMemset(memory, 0, n * sizeof(T)));
    return static_cast<T*>(memory);
}

} // namespace timing
