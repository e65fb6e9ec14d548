// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/jit/timing/cuda_timer.hpp"
#include "src/tasks/task_record.hpp"

#include <cstdint>
#include <vector>

namespace skelrt::detail
{

/// alone: the device does nothing else meanwhile; if_alone: the time counts if it happens to be so.
enum class timing : std::uint8_t { none, if_alone, alone };

/// Times of tasks' kernels, for the models. A kernel beside which others ran took part of the GPU's time, and nobody
/// knows which: such times are left out. What no model knows yet runs alone. Each worker's own.
class timed_kernels
{
public:
    static timed_kernels& of_this_worker();
    timed_kernels(const timed_kernels&) = delete;
    timed_kernels& operator=(const timed_kernels&) = delete;
    ~timed_kernels();

    /// Reads what can be read. Before more is enqueued, which would run beside.
    void look() noexcept;
    timing wish_for(task_record& t) const;
    /// Around what the task enqueues.
    void begin(void* stream) noexcept;
    void end(void* stream) noexcept;
    /// It is enqueued, and ends with its kernels, or leaves them. Nothing to do without a time.
    void keep(task_record& t, timing how);
    /// Its time is worth nothing.
    void drop() noexcept;

private:
    struct run {
        cuda_timer* timer;
        kernel_record* what;
        double work;
        std::shared_ptr<const running_work> kernels;
        timing how;
    };
    timed_kernels() = default;
    static void observe(const run& r) noexcept;

    cuda_timer* timer_ = nullptr; ///< of the task that is being enqueued
    std::vector<run> left_;       ///< their kernels went on when they ended
};

} // namespace skelrt::detail
