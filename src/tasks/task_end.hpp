// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/faults/unread.hpp"
#include "src/program/started_work.hpp"
#include "src/runtime/order/progress.hpp"
#include "src/tasks/kernel_record.hpp"

#include <skelrt/detail/caller.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <string>

namespace skelrt::detail
{

/// "main.cpp:12: sk::task potrf". Plain functions have no name but their place.
std::string task_title(const kernel_record& what, const std::string& name, const caller& where);

/// What a task's future is on, and what becomes of the task.
class task_end final : public started_work, public std::enable_shared_from_this<task_end>
{
public:
    /// `tasks`: of StarPU's that it comes to.
    task_end(const kernel_record& what, std::string name, const caller& where, unsigned tasks)
        : progress_(tasks), what_(what), name_(std::move(name)), where_(where)
    {
    }

    bool done() const noexcept override { return progress_.done(); }
    void wait() noexcept override;
    /// If it has not begun it ends as sk::cancelled, and what it was to write has that as its error.
    void cancel() noexcept override { cancelled_.store(true, std::memory_order_relaxed); }
    bool is_cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }
    std::exception_ptr error() noexcept override;
    std::string title() const override { return task_title(what_, name_, where_); }

    /// One of StarPU's tasks ends, on a worker. `left`: null, or its kernels, which a device still runs.
    void task_done(std::shared_ptr<const running_work> left) noexcept;
    /// Before the last one ends. If nobody asks for it, here or where the task's results are, it is logged.
    void set_fault(const std::exception_ptr& what) noexcept;
    bool has_fault() const noexcept { return fault_ != nullptr; }
    /// For those who wait for what it writes.
    static std::shared_ptr<const progress> progress_of(const std::shared_ptr<task_end>& e) noexcept
    {
        return {e, &e->progress_};
    }

private:
    void begin_to_watch() noexcept override;

    progress progress_;
    std::atomic<bool> cancelled_{false};
    noted_error fault_;
    const kernel_record& what_;
    const std::string name_; ///< the user's; empty: the kernel's
    const caller where_;
};

} // namespace skelrt::detail
