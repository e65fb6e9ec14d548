#include "src/jit/cuda_timer.hpp"

#include <cuda_runtime.h>

#include <mutex>
#include <vector>

namespace skelrt::detail
{

struct cuda_timer {
    int device;
    cudaEvent_t begin, end;
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
    cudaEventRecord(t->begin, static_cast<cudaStream_t>(stream));
    return t;
}

void stop_cuda_timer(cuda_timer* t, void* stream) noexcept
{
    if (t) cudaEventRecord(t->end, static_cast<cudaStream_t>(stream));
}

double read_cuda_timer(cuda_timer* t) noexcept
{
    if (!t) return 0;
    float ms = 0;
    if (cudaEventElapsedTime(&ms, t->begin, t->end) != cudaSuccess) ms = 0;
    std::lock_guard lock(guard);
    idle.push_back(t);
    return ms * 1e3;
}

} // namespace skelrt::detail
