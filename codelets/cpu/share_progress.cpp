// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/share_progress.hpp"

#include "src/runtime/cores/give_way.hpp"

namespace skelrt::detail::cpu
{

void share_progress::arrive(std::size_t share, std::size_t steps) noexcept
{
    counters_[share].steps.store(steps, std::memory_order_release);
}

bool share_progress::wait_for(std::size_t share, std::size_t steps) const noexcept
{
    return wait_awake([&] { return counters_[share].steps.load(std::memory_order_acquire) >= steps; },
                      [&] { return given_up_.load(std::memory_order_relaxed); });
}

void share_progress::give_up() noexcept { given_up_.store(true, std::memory_order_relaxed); }

} // namespace skelrt::detail::cpu
