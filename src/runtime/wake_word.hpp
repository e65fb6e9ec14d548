#pragma once

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace skelrt::detail
{

/// A number, on a cache line of its own, that threads wait for to change: awake for a while, then asleep. Who waits awake looks many
/// times before it yields: others seldom want its core (std::atomic's own wait() gives away slices of time at once, then sleeps).
/// But it does yield: a user's thread that was woken on that core would otherwise stand behind it, for its whole patience.
class alignas(64) wake_word
{
public:
    std::uint32_t load() const noexcept { return value_.load(std::memory_order_acquire); }
    void set(std::uint32_t value) noexcept { value_.store(value, std::memory_order_relaxed); } ///< wakes nobody
    /// Returns what it is then. Wakes nobody.
    std::uint32_t add(std::uint32_t n) noexcept { return value_.fetch_add(n) + n; }
    /// Wakes all who sleep.
    void wake() noexcept
    {
        if (sleepers_.load() > 0) syscall(SYS_futex, &value_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
    }
    /// Returns when it is no longer `old`, or so soon after it that it has changed again.
    void wait_while(std::uint32_t old, std::chrono::microseconds awake) noexcept
    {
        if (awake.count() > 0 && changes(old, awake)) return;
        sleepers_.fetch_add(1); // whoever changes the number from now on sees it, or the sleeper sees the change
        while (load() == old) syscall(SYS_futex, &value_, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
        sleepers_.fetch_sub(1);
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
    bool changes(std::uint32_t old, std::chrono::microseconds within) const noexcept
    {
        using clock = std::chrono::steady_clock;
        constexpr int looks = 64; // the clock is not for free
        for (const auto end = clock::now() + within; clock::now() < end; sched_yield())
            for (int i = 0; i < looks; ++i) {
                if (load() != old) return true;
#if defined(__x86_64__)
                _mm_pause();
#endif
            }
        return false;
    }

    std::atomic<std::uint32_t> value_{0};
    std::atomic<std::uint32_t> sleepers_{0};
};

} // namespace skelrt::detail
