// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <ctime>

namespace skelrt::detail
{

/// Which of many calls are timed: the first few after each tick of a coarse clock, since a look at an exact one takes
/// as long as a small call. One that takes long lets it tick, so that the next ones are timed.
class timed_sample
{
public:
    static constexpr unsigned after_a_tick = 64, looks_each = 2;

    bool takes_next() noexcept { return takes_next(&read_ticks); }
    /// `ticks`: reads the coarse clock.
    template <class Ticks>
    bool takes_next(Ticks ticks) noexcept
    {
        if (left_ == 0 && ++calls_ % looks_each == 0) {
            const std::int64_t now = ticks();
            if (now != last_) last_ = now, left_ = after_a_tick;
        }
        if (left_ == 0) return false;
        --left_;
        return true;
    }

private:
    /// Milliseconds apart; read in 5 ns.
    static std::int64_t read_ticks() noexcept
    {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
        return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    }

    std::int64_t last_ = 0;
    unsigned left_ = 0, calls_ = 0;
};

} // namespace skelrt::detail
