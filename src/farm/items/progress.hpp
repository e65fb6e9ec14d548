// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>

namespace skelrt::detail
{

/// Tells of progress: one thread at a time, not too often. Thread-safe.
class progress_teller
{
public:
    using listener = std::function<void(std::size_t done, std::size_t all)>;
    explicit progress_teller(listener told) : told_(std::move(told)) {}

    explicit operator bool() const noexcept { return static_cast<bool>(told_); }
    /// Unless it was told lately, or somebody tells just now. What the listener throws comes through.
    void tell(std::size_t done, std::size_t all);
    /// In any case, and for the last time.
    void tell_end(std::size_t done, std::size_t all);

private:
    using clock = std::chrono::steady_clock;
    listener told_;
    std::mutex telling_;
    clock::time_point next_{}; ///< what follows is under it
    bool ended_ = false;
};

/// A bar on stderr, once a farm has taken a second.
progress_teller::listener bar_of_long_farms(const char* label);

} // namespace skelrt::detail
