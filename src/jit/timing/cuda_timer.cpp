// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/timing/cuda_timer.hpp"

#include <cuda_runtime.h>

#include <chrono>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

struct cuda_timer {
    int device;
    cudaEvent_t begin, end;
    std::chrono::steady_clock::time_point started{};
    double host_us = 0; ///< from one event's recording to the other's
};

namespace
{

std::mutex guard;
std::vector<cuda_timer*> idle; ///< events cost some microseconds to make: they are used again

cuda_timer* take(int device)
{
    std::lock_guard lock(guard);
    for (auto& t : idle) {
        if (t->device != device) continue;
        cuda_timer* found = t;
        t = idle.back();
        idle.pop_back();
        return found;
    }
    return nullptr;
}

} // namespace

cuda_timer* start_cuda_timer(void* stream) noexcept
{
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return nullptr;
    cuda_timer* t = take(device);
    if (!t) {
        t = new cuda_timer{device, nullptr, nullptr};
        if (cudaEventCreate(&t->begin) != cudaSuccess || cudaEventCreate(&t->end) != cudaSuccess) {
            delete t;
            return nullptr;
        }
    }
    t->started = std::chrono::steady_clock::now();
    cudaEventRecord(t->begin, static_cast<cudaStream_t>(stream));
    return t;
}

void stop_cuda_timer(cuda_timer* t, void* stream) noexcept
{
    if (!t) return;
    cudaEventRecord(t->end, static_cast<cudaStream_t>(stream));
    t->host_us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - t->started).count();
}

void drop_cuda_timer(cuda_timer* t) noexcept
{
    if (!t) return;
    std::lock_guard lock(guard);
    idle.push_back(t);
}

double read_cuda_timer(cuda_timer* t) noexcept
{
    if (!t) return 0;
    float ms = 0;
    if (cudaEventElapsedTime(&ms, t->begin, t->end) != cudaSuccess) ms = 0;
    // The device passes the first event at once. Where the host was kept from the rest for long (another thread
    // allocates, or has the core), the time tells more of that than of the kernels.
    constexpr double long_us = 200, much_longer = 4;
    const double us = ms * 1e3;
    const bool held_up = t->host_us > long_us && us < much_longer * t->host_us;
    std::lock_guard lock(guard);
    idle.push_back(t);
    return held_up ? 0 : us;
}

} // namespace skelrt::detail
