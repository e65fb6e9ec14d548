// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/moved.hpp"

#include <utility>

namespace skelrt::detail
{

void moved_tiles::add(const move& m) noexcept
{
    std::lock_guard lock(guard_);
    try {
        moves_.push_back(m);
    } catch (const std::bad_alloc&) { // the notes are guesses
        return;
    }
    any_.store(true, std::memory_order_release);
}

std::vector<moved_tiles::move> moved_tiles::take() noexcept
{
    if (!any_.load(std::memory_order_acquire)) return {};
    std::lock_guard lock(guard_);
    any_.store(false, std::memory_order_relaxed);
    return std::exchange(moves_, {});
}

} // namespace skelrt::detail
