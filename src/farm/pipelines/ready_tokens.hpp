// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace skelrt::detail
{

/// Tokens that any thread may go on with, the oldest first. Thread-safe.
class ready_tokens
{
public:
    explicit ready_tokens(std::size_t window) : ring_(window) {}

    bool any() const noexcept { return count_.load() > 0; }
    void put(std::size_t place)
    {
        const std::lock_guard lock(guard_);
        ring_[(first_ + count_.load()) % ring_.size()] = place;
        count_.fetch_add(1);
    }
    /// None, if all that was put before has been taken.
    std::optional<std::size_t> take()
    {
        const std::lock_guard lock(guard_);
        if (!any()) return std::nullopt;
        count_.fetch_sub(1);
        return ring_[first_++ % ring_.size()];
    }

private:
    std::atomic<std::size_t> count_{0}; ///< written under the lock
    std::mutex guard_;
    std::vector<std::size_t> ring_;
    std::size_t first_ = 0;
};

} // namespace skelrt::detail
