// SPDX-License-Identifier: BSD-3-Clause
#include "src/program/started_work.hpp"

#include <utility>

namespace skelrt::detail
{

void started_work::when_done(std::function<void()> then)
{
    {
        const std::lock_guard lock(guard_); // who ends it takes the lock after done() has become true
        if (!done()) {
            then_.push_back(std::move(then));
            then = nullptr;
        }
    }
    if (then) then();
    else begin_to_watch();
}

bool started_work::is_awaited() noexcept
{
    const std::lock_guard lock(guard_);
    return !then_.empty();
}

void started_work::tell_of_end() noexcept
{
    std::vector<std::function<void()>> all;
    {
        const std::lock_guard lock(guard_);
        all.swap(then_);
    }
    for (const auto& then : all) then();
}

} // namespace skelrt::detail
