// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/backlog.hpp"

#include <algorithm>
#include <cstddef>

namespace skelrt::schedulers
{

/// What workers that take from one queue have in hand, each one task after the other; in microseconds, as sums, so that
/// asking costs the same however many they are. Pure: knows no clock, no worker. No lock of its own.
class group_load
{
public:
    /// One of the workers has a task.
    void started(double us, double now_us) noexcept
    {
        ends_us_ += now_us + known_us(us);
        ++running_;
    }
    /// With what started() was told.
    void ended(double us, double then_us) noexcept
    {
        ends_us_ = --running_ == 0 ? 0 : ends_us_ - then_us - known_us(us);
    }
    std::size_t running() const noexcept { return running_; }

    /// Until a worker is free for one more task, behind those that wait, as if all workers came to their ends together.
    /// What runs longer than it should counts as done: a sum does not know who is late.
    double busy_us(double now_us, double waiting_us, std::size_t workers) const noexcept
    {
        const double running_us = std::max(0.0, ends_us_ - static_cast<double>(running_) * now_us);
        return (waiting_us + running_us) / static_cast<double>(workers);
    }

private:
    double ends_us_ = 0; ///< the sum of when those that run should end
    std::size_t running_ = 0;
};

} // namespace skelrt::schedulers
