// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/recent_times.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

/// What whole episodes took. An episode is what a program does from a call that finds it waiting for nothing to the
/// host's wait for that call's results or later ones: one call, or a hundred in a row. Models predict calls one by one;
/// which device is best for all of them together, with copies, caches and the time that planning takes, only shows when
/// they were run there.
namespace skelrt::detail
{

/// How an episode begins: its first call, and where the data of that lies.
struct episode_start {
    std::uint32_t recipe = 0;
    std::uint64_t shape = 0, places = 0; ///< hashes
    friend bool operator==(const episode_start&, const episode_start&) = default;
};

/// The ways that episodes can go. Way 0 lets the planner place each call among all devices. Then come kinds of device,
/// each of which does everything; and then splits, the same part of each call by one kind and the rest by another.
struct episode_ways {
    std::size_t kinds = 0;
    std::vector<double> parts;            ///< of the splits
    std::size_t part_of = 1, rest_of = 2; ///< ways of the kinds that share
    std::size_t cores = 0;                ///< the way of the cores alone; 0: nobody's
    std::size_t count() const { return 1 + kinds + parts.size(); }
    bool is_split(std::size_t way) const { return way > kinds; }
    double part(std::size_t way) const { return parts[way - 1 - kinds]; }
};

/// Where one program is in the book.
struct book_place {
    struct step {
        episode_start from;
        unsigned length;
        std::size_t way;
    };
    std::optional<step> before; ///< the episode that ended last
    bool looks = true;          ///< the last one that was chosen for is looked at
};

/// Picks the way for each episode. The planner is believed until it is seen to lose:
/// - a way is tried while what trials cost stays under an eighth of the time of such episodes; what a trial will cost
///   is told by the way's own time or, before it has one, by what was predicted; to the cores' costs belongs the data's
///   way to them and back;
/// - a way that lost is tried again after eight episodes, then sixteen, and so on, while that costs a fiftieth of the
///   time since; of episodes of more than 2 ms a two-hundredth, but a kind's second trial may cost what a first one
///   may: a program that has just begun is slow in many ways, and what was measured then says little;
/// - when the best way begins to take another time than before, all that lost may be tried again: others may have come
///   to share the machine's memory, or gone;
/// - a trial of a kind of device is two episodes in a row: the first pays for the change; and two more, of short ones,
///   if it is not clear then; one is enough where that is as bad as was expected; a trial of a split is one episode,
///   and one more;
/// - the way that takes least is taken, its consequences included: in which state the data is left for the episode that
///   follows, where ways lead to the same work, as long, on data that lies elsewhere. What else follows is the
///   program's doing;
/// - splits are tried in episodes of few calls that take long enough: first the one that should be done on both sides
///   at the same time; then those that promise less than the best way takes, by what the sides took in the nearest one;
///   where nobody knows what the sides took, the tenths next to the best one.
/// So in the long run an episode takes no longer than the best single kind of device, and a fiftieth. Pure; not
/// thread-safe.
class episode_book
{
public:
    explicit episode_book(episode_ways ways) : ways_(std::move(ways)) {}
    const episode_ways& ways() const noexcept { return ways_; }

    /// Of many short episodes that went the same way, each eighth is looked at; the others need not be timed.
    /// `first_use_us`: what the process pays to use a GPU at all, and has not paid yet. Trials cost it, but the cores',
    /// and a GPU that is known to be better is used once episodes have lost as much without it.
    std::size_t choose(const episode_start& start, book_place& place, double first_use_us = 0);
    /// More calls than the last such episode had, at most twice as many; 0: nobody knows.
    std::size_t most_calls(const episode_start& start) const;
    /// Whether predictions of such episodes are of use.
    bool wants_predictions(const episode_start& start) const;
    /// An episode came to its end. `predicted`, of the planner's way: what models said of it and of each kind; may be
    /// empty. `rest_us`, of a split: when those were done that had the rest; 0: nobody knows. `to_cores_us`: what
    /// copies to the host would take before the cores could begin, which `predicted` is without.
    void note(const episode_start& start, book_place& place, std::size_t way, std::size_t calls, double us,
              std::span<const double> predicted, double rest_us = 0, double to_cores_us = 0);
    /// An episode that proves nothing else had so many calls.
    void note_length(const episode_start& start, std::size_t calls);
    /// For logs: what each way takes, microseconds, infinite if it was never taken.
    std::vector<double> times(const episode_start& start) const;
    /// What is known of a way that was taken, in microseconds; of episodes that begin alike and are about equally long.
    struct seen_way {
        std::size_t way, episodes;
        double us, least_us;
        double rest_us;                    ///< infinite: nobody knows
        std::optional<episode_start> next; ///< that followed, if only the last time
    };
    struct seen_episodes {
        episode_start start;
        unsigned length; ///< bits of the number of calls
        std::size_t episodes;
        std::vector<seen_way> ways;
        double cores_promise_us;         ///< what models said of the cores alone; infinite: nobody asked
        std::size_t in_last_process = 0; ///< of the episodes
    };
    std::vector<seen_episodes> all() const;
    bool knows(const episode_start& start) const { return find_start(start) != nullptr; }
    /// Episodes of earlier processes, all of which begin alike. They are believed as ours are; what trials cost is paid
    /// by episodes to come. The next one will be as long as those were that are the most. Where the cores' promise
    /// comes with them, one is enough to be believed: it was all that its process did. What followed on a way once is
    /// believed to follow: where it leaves data elsewhere, a process sees that only once.
    void recall(const std::vector<seen_episodes>& earlier);
    void forget() { starts_.clear(), last_ = nullptr; }

private:
    static constexpr double never = recent_times::never;
    struct way_times {
        static constexpr std::size_t first_rest = 8;
        recent_times us;
        recent_times rest_us;                  ///< of a split: until those were done that have the rest
        std::size_t count = 0;                 ///< episodes
        bool known = false;                    ///< its time is believed
        std::size_t tried_at = 0;              ///< number of the episode
        std::size_t rest = first_rest;         ///< episodes until the next trial; twice as many after each that lost
        std::optional<episode_start> next;     ///< followed twice in a row; once, it may be the program that goes on
        std::optional<episode_start> followed; ///< the last time
        double once = never; ///< the least that `us` was; forgotten by half, in orders of size, with each trial
        double typical() const { return us.get(); }
        void add(double time, double rest);
        void recall(const seen_way& earlier, std::size_t now);
        void is_followed_by(const episode_start& start);
    };
    struct same_length;
    void recall_into(same_length& of, const seen_episodes& earlier) const;
    struct trial {
        std::size_t way, left; ///< episodes to come
        std::size_t more;      ///< that it is made longer by, if it is not clear then
    };
    /// Episodes that begin alike and are about equally long.
    struct same_length {
        std::vector<way_times> ways;
        std::vector<double> predicted;
        double cores_promise = never; ///< by models, the last time
        double to_cores_us = 0;       ///< the last time
        bool is_recalled = false;     ///< the planner has not told since what kinds promise
        std::size_t episodes = 0;
        std::size_t recalled = 0;                     ///< of them, of earlier processes
        std::size_t in_last_process = 0;              ///< of those, of the last one that had any
        double lost_by_kinds = 0, lost_by_splits = 0; ///< in trials
        unsigned length = 0;
        std::optional<trial> now; ///< under way
        std::size_t chosen = 0;   ///< the last time
        std::size_t unseen = 0;   ///< episodes to come that go that way, and are only counted
        double usual = 0;         ///< what the best way took while the others lost
        std::size_t best() const;
        void notice_change();
        void go_on_with_trial(std::size_t way, double us, double expected);
    };
    struct same_start {
        unsigned length = 0; ///< bits of the number of calls that the last one had
        std::vector<std::pair<unsigned, same_length>> lengths;
        const same_length* find(unsigned bits) const;
    };
    static seen_episodes seen(const episode_start& start, unsigned length, const same_length& of);
    const same_start* find_start(const episode_start& start) const;
    bool is_settled(const same_length& of, std::size_t chosen) const;
    bool lacks_predictions(const same_length& of) const;
    struct hash_of_start {
        std::size_t operator()(const episode_start& s) const noexcept { return s.recipe ^ s.shape ^ s.places << 7; }
    };

    double expected(const same_length& of, std::size_t way) const;
    double guess_for(const same_length& of, std::size_t kind) const;
    bool may_split(const same_length& of) const;
    bool is_early(const same_length& of, std::size_t way, double best) const;
    bool is_near_best(const same_length& of, double part) const;
    std::optional<std::size_t> nearest_split(const same_length& of, double part) const;
    double by_sides(const same_length& of, double part) const;
    double guess_for_split(const same_length& of, double part) const;
    const same_length* after(const episode_start& start, const same_length& of, std::size_t way) const;
    bool lead_apart(const episode_start& start, const same_length& of, std::size_t way, std::size_t other) const;
    double value(const episode_start& start, const same_length& of, std::size_t way) const;
    double gain_by(const episode_start& start, const same_length& of, std::size_t way, std::size_t than) const;
    bool is_better(const episode_start& start, const same_length& of, std::size_t way, std::size_t than) const;
    std::size_t best_for(const episode_start& start, const same_length& of) const;
    std::size_t wait_for_first_use(const episode_start& start, const same_length& of, std::size_t best,
                                   double first_use_us);
    double loss_by(const episode_start& start, const same_length& of, std::size_t way, std::size_t chosen) const;
    std::optional<std::size_t> trial_for(const episode_start& start, const same_length& of, std::size_t chosen,
                                         double first_use_us) const;
    const same_length* find(const episode_start& start) const;
    same_length* find(const episode_start& start) { return const_cast<same_length*>(std::as_const(*this).find(start)); }
    same_length* find(const episode_start& start, unsigned length)
    {
        const same_start* const s = find_start(start);
        return s ? const_cast<same_length*>(s->find(length)) : nullptr;
    }
    static constexpr std::size_t most_starts = 512;

    episode_ways ways_;
    double lost_before_first_use_ = 0; ///< by episodes that went by the cores
    std::unordered_map<episode_start, same_start, hash_of_start> starts_;
    mutable const decltype(starts_)::value_type* last_ = nullptr; ///< that was looked up
};

} // namespace skelrt::detail
