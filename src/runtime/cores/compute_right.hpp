// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace skelrt::detail
{

/// Of threads that are counted while they compute, so that there are not more of them than cores: who counts is told
/// when such a thread falls asleep in a wait of the library's, and when it goes on. Each thread's own.
class compute_right
{
public:
    virtual void sleeps() noexcept = 0;
    virtual void goes_on() noexcept = 0;

    /// The calling thread's; null: nobody counts it.
    static compute_right* current() noexcept;
    /// Returns the one before.
    static compute_right* set(compute_right* right) noexcept;
    /// The calling thread's, which sleeps from now on; null: nobody is told, or was already.
    static compute_right* give_up() noexcept;
    static void take_back(compute_right* right) noexcept;
    /// So many threads compute just now, each on a core.
    static std::atomic<unsigned> in_use;
    /// So many besides the calling one.
    static unsigned others() noexcept;
    /// Of so many cores those that work of the calling thread's could have: its own, and all that no such thread has.
    static unsigned cores_left(unsigned all) noexcept;

protected:
    ~compute_right() = default;
};

/// The calling thread sleeps, or is about to, while it lives.
class falls_asleep
{
public:
    falls_asleep() noexcept : right_(compute_right::give_up()) { now.fetch_add(1, std::memory_order_release); }
    ~falls_asleep()
    {
        now.fetch_sub(1, std::memory_order_relaxed);
        compute_right::take_back(right_);
    }
    falls_asleep(const falls_asleep&) = delete;
    falls_asleep& operator=(const falls_asleep&) = delete;

    /// So many threads sleep now.
    static inline std::atomic<int> now{0};

private:
    compute_right* right_;
};

} // namespace skelrt::detail
