// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/pipelines/token_window.hpp"

#include <algorithm>
#include <numeric>

namespace skelrt::detail
{

token_window::token_window(std::size_t places) : size_(places), can_begin_(true), free_(places)
{
    std::iota(free_.rbegin(), free_.rend(), std::size_t{0});
}

std::optional<std::size_t> token_window::begin()
{
    if (!can_begin()) return std::nullopt; // most of the time without the lock
    const std::lock_guard lock(guard_);
    if (!is_open()) return std::nullopt;
    const std::size_t place = free_.back(); // whose memory was used last
    free_.pop_back();
    somebody_in_source_ = true;
    look();
    return place;
}

void token_window::filled()
{
    const std::lock_guard lock(guard_);
    somebody_in_source_ = false;
    look();
}

bool token_window::not_filled(std::size_t place)
{
    const std::lock_guard lock(guard_);
    somebody_in_source_ = false;
    closed_ = true;
    free_.push_back(place);
    return is_over();
}

bool token_window::end(std::size_t place)
{
    const std::lock_guard lock(guard_);
    free_.push_back(place);
    look();
    return is_over();
}

bool token_window::close()
{
    const std::lock_guard lock(guard_);
    closed_ = true;
    look();
    return is_over();
}

/// After each change, under the lock.
void token_window::look() noexcept { can_begin_.store(is_open()); }
bool token_window::is_open() const noexcept { return !closed_ && !somebody_in_source_ && !free_.empty(); }

bool token_window::is_over() noexcept
{
    if (!closed_ || told_ || free_.size() < size_) return false;
    return told_ = true;
}

} // namespace skelrt::detail
