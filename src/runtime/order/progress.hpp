// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <exception>
#include <memory>

namespace skelrt::detail
{

/// Work that a device was left with when its task ended: see leave_running() in cuda_queue.hpp. Thread-safe.
class running_work
{
public:
    virtual ~running_work() = default;
    virtual bool done() const noexcept = 0;
    virtual void wait() const noexcept = 0;
    /// Of work that is done: null, or why it came to nothing.
    virtual std::exception_ptr fault() const noexcept = 0;
};

/// How many tasks of a call are still to end. Outlives the call: whoever waits holds it, too. Thread-safe.
class progress
{
public:
    explicit progress(unsigned tasks) noexcept : tasks_left_(tasks) {}
    /// A task ends. `left`: null, or what its device still does; of one task at most.
    void task_done(std::shared_ptr<const running_work> left) noexcept;
    bool done() const noexcept;
    /// Once all tasks have ended: what a device still does, or did. Null: nothing, or they have not.
    std::shared_ptr<const running_work> left() const noexcept
    {
        return tasks_left_.load(std::memory_order_acquire) == 0 ? left_ : nullptr;
    }
    /// Blocks until all is done.
    void wait() const noexcept;
    /// When all is done: null, or what went wrong with what a device was left with. Tasks' errors are the call's.
    std::exception_ptr fault() const noexcept { return left_ ? left_->fault() : nullptr; }

private:
    std::atomic<unsigned> tasks_left_;
    std::shared_ptr<const running_work> left_; ///< written before the last task's end, read after it
};

} // namespace skelrt::detail
