// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/cores/give_way.hpp"

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace skelrt::detail
{

/// A number that threads wait for to change: awake for a while, then asleep. Who waits awake looks many times before it
/// gives way (give_way.hpp): others seldom want its core (std::atomic's own wait() gives away slices of time at once,
/// then sleeps).
class wake_word
{
public:
    std::uint32_t load() const noexcept { return value_.load(std::memory_order_acquire); }
    void set(std::uint32_t value) noexcept { value_.store(value, std::memory_order_relaxed); } ///< wakes nobody
    /// Returns what it is then. Wakes nobody.
    std::uint32_t add(std::uint32_t n) noexcept { return value_.fetch_add(n) + n; }
    /// Wakes all who sleep.
    void wake() noexcept { static_cast<void>(wake(INT_MAX)); }
    /// Wakes so many at most; returns how many.
    long wake(int most) noexcept
    {
        return sleepers_.load() > 0 ? syscall(SYS_futex, &value_, FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0) : 0;
    }
    /// Returns when it is no longer `old`, or so soon after it that it has changed again; how long others had the core
    /// just before. `may_be_long`: whether it takes its time just now, and who waits stays awake, for some milliseconds
    /// at most.
    template <class MayBeLong>
    std::chrono::nanoseconds wait_while(std::uint32_t old, std::chrono::microseconds awake,
                                        MayBeLong may_be_long) noexcept
    {
        std::chrono::nanoseconds away{};
        if (awake.count() > 0 && changes(old, awake, may_be_long, away)) return away;
        sleepers_.fetch_add(1); // whoever changes the number from now on sees it, or the sleeper sees the change
        while (load() == old) syscall(SYS_futex, &value_, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
        sleepers_.fetch_sub(1);
        return {};
    }
    /// Awake, and not for long. False: it is still `old`.
    bool changes_within(std::uint32_t old, std::chrono::microseconds awake) const noexcept
    {
        std::chrono::nanoseconds away{};
        return changes(
            old, awake, [] { return false; }, away);
    }
    /// Asleep from the start, and not for ever.
    void sleep_while(std::uint32_t old, std::chrono::milliseconds most) noexcept
    {
        const timespec limit{0, std::chrono::nanoseconds(most).count()};
        sleepers_.fetch_add(1);
        if (load() == old) syscall(SYS_futex, &value_, FUTEX_WAIT_PRIVATE, old, &limit, nullptr, 0);
        sleepers_.fetch_sub(1);
    }

private:
    template <class MayBeLong>
    bool changes(std::uint32_t old, std::chrono::microseconds awake, MayBeLong may_be_long,
                 std::chrono::nanoseconds& away) const noexcept
    {
        using clock = std::chrono::steady_clock;
        constexpr int looks = 64; // the clock is not for free
        constexpr std::chrono::milliseconds longest{5};
        clock::time_point begun, end;
        for (bool first = true;; away = give_way(), first = false) {
            for (int i = 0; i < looks; ++i) {
                if (load() != old) return true;
                away = {};
#if defined(__x86_64__)
                _mm_pause();
#endif
            }
            const auto now = clock::now();
            if (first) begun = now, end = now + awake;
            if (now < end) continue;
            if (now - begun > longest || !may_be_long()) return false;
            end = now + awake;
        }
    }

    std::atomic<std::uint32_t> value_{0};
    std::atomic<std::uint32_t> sleepers_{0};
};

} // namespace skelrt::detail
