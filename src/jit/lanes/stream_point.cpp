// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/lanes/stream_point.hpp"

#include <skelrt/error.hpp>

#include <new>
#include <string>

namespace skelrt::detail
{

void check_cuda(cudaError_t result, const char* what)
{
    if (result != cudaSuccess) throw error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(result));
}

cudaEvent_t event_pool::take()
{
    {
        std::lock_guard lock(guard_);
        if (!idle_.empty()) {
            cudaEvent_t e = idle_.back();
            idle_.pop_back();
            return e;
        }
    }
    cudaEvent_t e = nullptr;
    check_cuda(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "no event");
    return e;
}

void event_pool::give_back(cudaEvent_t e) noexcept
{
    std::lock_guard lock(guard_);
    try {
        idle_.push_back(e);
    } catch (const std::bad_alloc&) {
        cudaEventDestroy(e);
    }
}

stream_point::stream_point(event_pool& pool, cudaStream_t stream, const char* what)
    : pool_(pool), event_(pool.take()), what_(what)
{
    const cudaError_t result = cudaEventRecord(event_, stream);
    if (result == cudaSuccess) return;
    pool.give_back(event_);
    check_cuda(result, "no event after a kernel");
}

std::exception_ptr stream_point::fault() const noexcept
{
    const cudaError_t result = result_.load(std::memory_order_acquire);
    if (result == cudaSuccess) return nullptr;
    try {
        throw error(std::string(what_) +
                    ": its kernels, or others on the same CUDA device, failed: " + cudaGetErrorString(result));
    } catch (...) {
        return std::current_exception();
    }
}

/// An error ends the work, too, but it is no success.
bool stream_point::ended_with(cudaError_t result) const noexcept
{
    if (result == cudaErrorNotReady) return false;
    if (result != cudaSuccess) result_.store(result, std::memory_order_release);
    return true;
}

} // namespace skelrt::detail
