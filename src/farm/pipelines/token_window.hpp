// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace skelrt::detail
{

/// The tokens of a pipeline that are alive, at most as many as there are places, and its source, with one thread at a
/// time in it. Nobody waits here.
///
/// Thread-safe. Constant time; no memory is allocated after it was made.
class token_window
{
public:
    explicit token_window(std::size_t places);

    std::size_t size() const noexcept { return size_; }
    /// Whether begin() would give a place, while nobody else calls it.
    bool can_begin() const noexcept { return can_begin_.load(); }
    /// A place for the source to fill, which is the caller's then; none: it is full, or closed, or somebody is in it.
    std::optional<std::size_t> begin();
    /// The source has filled its place.
    void filled();
    /// It has not, and never will: closed. True: all has ended. As for those below, that is told once.
    bool not_filled(std::size_t place);
    /// The token has ended.
    bool end(std::size_t place);
    /// No more begin.
    bool close();

private:
    void look() noexcept;
    bool is_open() const noexcept;
    bool is_over() noexcept;

    const std::size_t size_;
    std::atomic<bool> can_begin_;
    std::mutex guard_; ///< of what follows
    std::vector<std::size_t> free_;
    bool somebody_in_source_ = false, closed_ = false, told_ = false;
};

} // namespace skelrt::detail
