// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/program/strand.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// What a future is on: a farm's run, a pipeline's, a tree's, a task.
///
/// Lifetime: shared by its handles and by who does it. Threads: any may call anything.
class started_work
{
public:
    started_work() = default;
    virtual ~started_work() = default;
    started_work(const started_work&) = delete;
    started_work& operator=(const started_work&) = delete;

    virtual bool done() const noexcept = 0;
    /// Helps with what has not begun, if it can, then sleeps until all has ended.
    virtual void wait() noexcept = 0;
    /// As wait(); takes results in order meanwhile.
    virtual void take_all() noexcept { wait(); }
    /// Of what has ended: until all ranks that began it know how. Throws what keeps them from that.
    virtual void join() {}
    virtual void cancel() noexcept = 0;
    /// Of what has ended: null, or what went wrong; it counts as told then.
    virtual std::exception_ptr error() noexcept = 0;
    /// For messages: "main.cpp:12: farm frames".
    virtual std::string title() const = 0;

    /// Whether its results lie on several ranks, which the program's wait for it, on all of them, brings together.
    virtual bool is_spread() const noexcept { return false; }

    /// Calls it once all has ended: now, or on the thread that ends it, which may be a worker: it must not wait.
    void when_done(std::function<void()> then);

    /// Null unless SKELRT_CHECK=races wants to know.
    const std::shared_ptr<work_order> order = order_of_new_work();

protected:
    /// After done() has become true.
    void tell_of_end() noexcept;
    /// Whether somebody wants to be told.
    bool is_awaited() noexcept;
    /// Somebody does, now.
    virtual void begin_to_watch() noexcept {}

private:
    std::mutex guard_;
    std::vector<std::function<void()>> then_;
};

} // namespace skelrt::detail
