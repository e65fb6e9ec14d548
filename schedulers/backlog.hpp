// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace skelrt::schedulers
{

/// An unknown time (NaN) counts as none.
inline double known_us(double us) noexcept { return std::isnan(us) ? 0 : us; }

/// What is left of a task after `elapsed_us`. One that takes longer than it should is expected to go on for as long as
/// it is late already: the later, the less its model is worth.
inline double remaining_us(double expected_us, double elapsed_us) noexcept
{
    return std::abs(expected_us - elapsed_us);
}

/// What a worker still has to do, in microseconds. Pure: knows no clock, no worker. No lock of its own.
class backlog
{
public:
    void queued(double us) noexcept
    {
        queued_us_ += known_us(us);
        ++queued_;
    }
    /// A task leaves the queue, to run or to another worker.
    void unqueued(double us) noexcept { queued_us_ = --queued_ == 0 ? 0 : queued_us_ - known_us(us); }

    /// `watched`: ended() is sure to be called for it, so that it may be late; others are taken to end when their time
    /// is over.
    void started(const void* task, double us, double now_us, bool watched)
    {
        // GPU workers hold a few at once; StarPU's limit is 4. Of some nobody tells that they are done.
        if (running_.size() == most_running) running_.erase(running_.begin());
        running_.push_back({task, known_us(us), now_us, watched});
    }
    /// `left_us`: what its device still has to do. False: it was not running here.
    bool ended(const void* task, double now_us, double left_us = 0) noexcept
    {
        const auto at = std::ranges::find(running_, task, &run::task);
        if (at == running_.end()) return false;
        const bool first = at == running_.begin();
        running_.erase(at);
        if (first && !running_.empty()) running_.front().since_us = now_us; // it waited for the other
        if (left_us > 0) left_until_us_ = now_us + left_us;
        return true;
    }
    /// A worker that does one task after the other asks for the next: nothing is running.
    void all_ended() noexcept { running_.clear(); }

    std::size_t tasks() const noexcept { return queued_ + running_.size(); }
    double queued_us() const noexcept { return queued_us_; }

    /// How long the worker is busy with what it has.
    double remaining(double now_us) const noexcept
    {
        double us = queued_us_ + std::max(0.0, left_until_us_ - now_us);
        for (const run& r : running_) {
            const double elapsed = now_us - r.since_us;
            const bool first = &r == &running_.front();
            if (!first) us += r.watched ? r.expected_us : std::max(0.0, r.expected_us - elapsed);
            else us += r.watched ? remaining_us(r.expected_us, elapsed) : std::max(0.0, r.expected_us - elapsed);
        }
        return us;
    }

private:
    static constexpr std::size_t most_running = 4;
    struct run {
        const void* task;
        double expected_us, since_us;
        bool watched;
    };
    std::vector<run> running_;
    double queued_us_ = 0;
    double left_until_us_ = 0;
    std::size_t queued_ = 0;
};

} // namespace skelrt::schedulers
