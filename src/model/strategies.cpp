// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/strategies.hpp"

#include <utility>

namespace skelrt::detail
{

void strategies::begin_anew(episode_ways ways, std::vector<std::string> names)
{
    const std::lock_guard lock(guard_);
    book_ = episode_book(std::move(ways));
    names_ = std::move(names);
}

strategies::beginning strategies::begin(const episode_start& start, book_place& after, double first_use_us)
{
    const std::lock_guard lock(guard_);
    beginning b;
    b.number = ++last_number_;
    if (!book_.knows(start)) recall_with_next(start);
    b.way = book_.choose(start, after, first_use_us);
    b.looked_at = after.looks;
    b.most_calls = book_.most_calls(start);
    b.wants_predictions = b.looked_at && b.way == 0 && book_.wants_predictions(start);
    return b;
}

/// And what follows on its ways: a way counts with that.
void strategies::recall_with_next(const episode_start& start)
{
    if (!earlier_) return;
    const std::vector<episode_book::seen_episodes> found = earlier_(start, names_);
    book_.recall(found);
    for (const episode_book::seen_episodes& e : found)
        for (const episode_book::seen_way& w : e.ways)
            if (w.next && !book_.knows(*w.next)) book_.recall(earlier_(*w.next, names_));
}

void strategies::note(const episode_start& start, book_place& place, std::size_t way, std::size_t calls, double us,
                      std::span<const double> predicted, double rest_us, double to_cores_us)
{
    const std::lock_guard lock(guard_);
    book_.note(start, place, way, calls, us, predicted, rest_us, to_cores_us);
}

void strategies::note_length(const episode_start& start, std::size_t calls)
{
    const std::lock_guard lock(guard_);
    book_.note_length(start, calls);
}

std::vector<double> strategies::times(const episode_start& start) const
{
    const std::lock_guard lock(guard_);
    return book_.times(start);
}

strategies::snapshot strategies::all() const
{
    const std::lock_guard lock(guard_);
    snapshot s{book_.all(), names_};
    // Beside others, an episode's time has not all that its process paid once.
    if (last_number_ != 1)
        for (episode_book::seen_episodes& e : s.episodes) e.cores_promise_us = recent_times::never;
    return s;
}

void strategies::forget()
{
    const std::lock_guard lock(guard_);
    book_.forget();
    forgotten_.fetch_add(1, std::memory_order_relaxed);
}

} // namespace skelrt::detail
