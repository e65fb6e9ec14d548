// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/program/program.hpp"
#include "src/runtime/cores/wake_word.hpp"

#include <atomic>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

namespace skelrt::detail
{

/// Which of several runnables' items begin first.
struct run_rank {
    int priority = 0;
    unsigned depth = 0;       ///< of runs within items of others: deep ones first, for somebody's item waits for them
    std::uint64_t number = 0; ///< then the oldest
    bool operator==(const run_rank&) const = default;
    bool operator<(const run_rank& other) const noexcept
    {
        if (priority != other.priority) return priority > other.priority;
        if (depth != other.depth) return depth > other.depth;
        return number < other.number;
    }
};

/// Items that threads of the pool, and those that wait for them, run: a farm's, a pipeline's, a tree's.
///
/// Lifetime: shared by whoever may run some of it, and by its handles. Cancelled with the item in which it was made.
/// Threads: any may call anything.
class runnable : public std::enable_shared_from_this<runnable>
{
public:
    /// Made by the thread that starts it: its wishes hold for the calls of all items. `priority`: beside that of the item
    /// in which it is made.
    explicit runnable(int priority);
    virtual ~runnable() = default;
    runnable(const runnable&) = delete;
    runnable& operator=(const runnable&) = delete;

    /// Begins some items and runs them to their end. False: none may begin now.
    bool run_some() noexcept;
    virtual bool can_begin() const noexcept = 0;
    virtual void cancel() noexcept = 0;

    /// It was cancelled before all of it had run.
    virtual bool was_cut_off() const noexcept { return is_stopped(); }
    bool done() const noexcept { return done_.load(std::memory_order_acquire); }
    std::stop_token stop_token() const noexcept { return stop_.get_token(); }
    const run_rank& rank() const noexcept { return rank_; }

    /// Changes when it has ended, and when items may begin that its waiter would look for.
    wake_word changes;
    std::atomic<bool> offered{false}; ///< the pool's

    /// Of all calls of its items, and theirs.
    run_way& way() const noexcept { return *wishes_.run; }
    const std::shared_ptr<run_way>& shared_way() const noexcept { return wishes_.run; }
    bool is_outermost() const noexcept { return outermost_; }

    /// Whose item the calling thread runs; null: none.
    static runnable* current() noexcept;
    /// Threads inside items, those that wait there counted.
    static unsigned threads_inside() noexcept;

protected:
    virtual bool run_next() noexcept = 0;
    bool request_stop() noexcept { return stop_.request_stop(); }
    bool is_stopped() const noexcept { return stop_.stop_requested(); }
    void set_done() noexcept;
    void note_change() noexcept;
    /// From where on cancel() may be called by whoever cancels the item around it. Ends with the run.
    void follow_outer();
    void follow_nobody() noexcept { follows_.reset(); } ///< first of all at its end

private:
    struct canceller {
        runnable* run;
        void operator()() const noexcept { run->cancel(); }
    };
    const run_rank rank_;
    const bool outermost_;
    const call_wishes wishes_;
    std::atomic<bool> done_{false};
    std::stop_source stop_;
    std::stop_token outer_;
    std::optional<std::stop_callback<canceller>> follows_;
};

} // namespace skelrt::detail
