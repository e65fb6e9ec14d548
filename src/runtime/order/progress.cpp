// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/order/progress.hpp"

#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/trace/timeline.hpp"

#include <sched.h>

#include <chrono>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Calls on GPUs take tens of microseconds, and so does waking up.
constexpr std::chrono::microseconds awake_for{100};

} // namespace

void progress::task_done(std::shared_ptr<const running_work> left) noexcept
{
    if (left) left_ = std::move(left);
    if (tasks_left_.fetch_sub(1, std::memory_order_acq_rel) == 1) tasks_left_.notify_all();
}

bool progress::done() const noexcept
{
    return tasks_left_.load(std::memory_order_acquire) == 0 && (!left_ || left_->done());
}

void progress::wait() const noexcept
{
    static const std::string name = "wait for results";
    const traced_time traced(traced::wait, done() ? nullptr : &name);
    const auto until = std::chrono::steady_clock::now() + awake_for;
    while (!done())
        if (std::chrono::steady_clock::now() < until) sched_yield();
        else break;
    const falls_asleep away;
    if (tasks_left_.load(std::memory_order_relaxed) > 0) caller_sleeps();
    for (unsigned tasks = tasks_left_.load(std::memory_order_acquire); tasks > 0;
         tasks = tasks_left_.load(std::memory_order_acquire))
        tasks_left_.wait(tasks, std::memory_order_acquire);
    if (left_) left_->wait();
}

} // namespace skelrt::detail
