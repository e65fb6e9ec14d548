// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/order/progress.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

/// Throws error unless `result` is cudaSuccess. `what` goes before CUDA's own words.
void check_cuda(cudaError_t result, const char* what);

/// Events that nobody waits for any more; making one takes some microseconds. Thread-safe. Never destroyed, for points
/// outlive their streams.
class event_pool
{
public:
    cudaEvent_t take();
    void give_back(cudaEvent_t e) noexcept;

private:
    std::mutex guard_;
    std::vector<cudaEvent_t> idle_;
};

/// The point in a stream that follows what was enqueued so far. Thread-safe.
class stream_point : public running_work
{
public:
    /// `what` was enqueued, for errors; it lives as long as the process.
    stream_point(event_pool& pool, cudaStream_t stream, const char* what);
    stream_point(const stream_point&) = delete;
    stream_point& operator=(const stream_point&) = delete;
    ~stream_point() override { pool_.give_back(event_); }

    bool done() const noexcept override { return ended_with(cudaEventQuery(event_)); }
    void wait() const noexcept override { ended_with(cudaEventSynchronize(event_)); }
    std::exception_ptr fault() const noexcept override;
    /// What is given to another stream from now on waits.
    void go_before(cudaStream_t other) const noexcept { cudaStreamWaitEvent(other, event_, 0); }

private:
    bool ended_with(cudaError_t result) const noexcept;

    event_pool& pool_;
    cudaEvent_t event_;
    const char* what_;
    mutable std::atomic<cudaError_t> result_{cudaSuccess};
};

} // namespace skelrt::detail
