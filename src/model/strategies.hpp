// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/episode_book.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace skelrt::detail
{

/// The book of all programs' episodes on the devices that run. Any thread; begin_anew() while nobody else is there.
class strategies
{
public:
    /// What earlier processes found of episodes that begin like this, on the same devices, whose ways are called like
    /// these; asked for each beginning that nothing is known of.
    using recall = std::function<std::vector<episode_book::seen_episodes>(const episode_start& start,
                                                                          const std::vector<std::string>& names)>;
    explicit strategies(recall earlier = {}) : earlier_(std::move(earlier)) {}

    /// Ways may mean other devices than before: the book is empty. `names`: of the ways.
    void begin_anew(episode_ways ways, std::vector<std::string> names);
    const episode_ways& ways() const noexcept { return book_.ways(); }

    /// What the book says of an episode that begins.
    struct beginning {
        std::size_t way = 0, most_calls = 0;
        bool looked_at = true, wants_predictions = false;
        std::uint64_t number = 0; ///< 1, 2, ... of all programs' episodes
    };
    beginning begin(const episode_start& start, book_place& after, double first_use_us = 0);
    /// See episode_book.
    void note(const episode_start& start, book_place& place, std::size_t way, std::size_t calls, double us,
              std::span<const double> predicted, double rest_us, double to_cores_us = 0);
    void note_length(const episode_start& start, std::size_t calls);
    std::vector<double> times(const episode_start& start) const;

    struct snapshot {
        std::vector<episode_book::seen_episodes> episodes;
        std::vector<std::string> names; ///< of the ways
    };
    /// The cores' promise is told of an episode that was the only one.
    snapshot all() const;
    void forget();
    /// How often all was forgotten: an episode that began before proves nothing.
    unsigned forgotten() const noexcept { return forgotten_.load(std::memory_order_relaxed); }

private:
    void recall_with_next(const episode_start& start);

    recall earlier_;
    mutable std::mutex guard_; ///< of the book; behind it only locks of what earlier_ asks
    episode_book book_{episode_ways{}};
    std::vector<std::string> names_;
    std::uint64_t last_number_ = 0;
    std::atomic<unsigned> forgotten_{0};
};

} // namespace skelrt::detail
