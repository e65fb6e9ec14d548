// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/give_way.hpp"

#include <atomic>

#include <sched.h>

namespace skelrt::detail
{

namespace
{

using clock = std::chrono::steady_clock;

/// Whoever keeps a core so long is no user's thread that just makes a call.
constexpr std::chrono::microseconds slice{500};
constexpr int regretted_for = 50; ///< times what was lost

thread_local clock::time_point not_before;
std::atomic<bool> shared_cores{false};

} // namespace

std::chrono::nanoseconds give_way() noexcept
{
    const auto gave = clock::now();
    if (gave < not_before) return {};
    sched_yield();
    return clock::now() - gave;
}

void threads_share_cores(bool they_do) noexcept { shared_cores.store(they_do, std::memory_order_relaxed); }

void regret_giving_way(std::chrono::nanoseconds late) noexcept
{
    if (late >= slice && !shared_cores.load(std::memory_order_relaxed))
        not_before = clock::now() + regretted_for * late;
}

} // namespace skelrt::detail
