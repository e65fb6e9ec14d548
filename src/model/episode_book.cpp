// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/episode_book.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace skelrt::detail
{

namespace
{

constexpr std::size_t planned = 0;        ///< the way of the planner
constexpr std::size_t learns_from = 2;    ///< episodes of a way, before its time is believed
constexpr std::size_t planner_learns = 3; ///< for so many the planner's own models still change
constexpr double for_trials = 0.12;       ///< of all time; of kinds, and of splits
constexpr double for_more_splits = 0.005; ///< of the time since that split was last tried
constexpr std::size_t longest_rest = 128; ///< episodes between two trials of a way that lost

/// How kinds are tried.
struct trial_rules {
    std::size_t at_once; ///< episodes of a trial
    std::size_t early;   ///< episodes paid by what first trials may cost: the first often had something to build
    std::size_t closer;  ///< episodes more where a trial was neither clearly better nor much worse
    double for_more;     ///< of the time since the kind was last tried
};
constexpr trial_rules of_short_ones{2, 4, 2, 0.02}; ///< the first finds another way's caches, and cores that sleep
constexpr trial_rules of_long_ones{2, 2, 0, 0.005}; ///< which is little of what they take
constexpr double long_us = 2000;

const trial_rules& rules_for(double best_us) { return best_us < long_us ? of_short_ones : of_long_ones; }

constexpr std::size_t closer_at_splits = 1; ///< like trial_rules::closer, of splits, which are many
constexpr double hopeless = 3;              ///< times the best way's time: a second episode would not be better
constexpr double bad = 1.5;                 ///< times the best way's: nor here, where so much was expected
constexpr double near = 1.25;    ///< times the best way's: who promises no more is tried, whatever trials have cost
constexpr double close = 1.12;   ///< times the best way's: who took more in a trial need not be looked at more closely
constexpr double clearly = 0.98; ///< of another way's time, for a change
constexpr double changed = 1.25; ///< times the best way's time, or less by this: the machine is not what it was
constexpr double split_costs = 1.1; ///< time over what two devices would take that do not hinder each other
constexpr double worth_a_split_us = 500;
constexpr unsigned few_calls =
    2; ///< bits of a number: in longer chains, devices would wait for each other again and again
constexpr std::size_t many = 64, not_looked_at = 7; ///< of so many short episodes each eighth is looked at
constexpr double short_us = 50;
constexpr double done_before = 0.9; ///< of a split's time: whose part is done by then did not hold it up
constexpr double ahead = 8;         ///< episodes that a way's consequences are believed to last

/// Where nobody knows what the sides took, smaller steps cost more trials than they gain.
bool is_tenth(double part) { return std::abs(10 * part - std::round(10 * part)) < 1e-6; }

} // namespace

void episode_book::way_times::add(double time, double rest)
{
    known = ++count >= learns_from || known;
    us.add(time);
    if (rest > 0) rest_us.add(rest);
    once = std::min(once, typical());
}

void episode_book::way_times::recall(const seen_way& earlier, std::size_t now)
{
    count = earlier.episodes;
    known = count >= learns_from;
    us.add(earlier.us);
    if (earlier.rest_us < never) rest_us.add(earlier.rest_us);
    once = earlier.least_us;
    next = earlier.next;
    tried_at = now;
}

void episode_book::way_times::is_followed_by(const episode_start& start)
{
    if (followed == start) next = start;
    followed = start;
}

std::size_t episode_book::same_length::best() const
{
    const auto shorter = [](const way_times& a, const way_times& b) { return a.typical() < b.typical(); };
    return static_cast<std::size_t>(std::min_element(ways.begin(), ways.end(), shorter) - ways.begin());
}

void episode_book::same_length::notice_change()
{
    const double now = ways[best()].typical();
    if (now < changed * usual && usual < changed * now) return;
    usual = now;
    for (way_times& w : ways) w.rest = way_times::first_rest;
}

/// After an episode of the way, of which `expected` was known before.
void episode_book::same_length::go_on_with_trial(std::size_t way, double us, double expected)
{
    if (!now || now->way != way) return;
    double best = never; // of the others
    for (std::size_t w = 0; w < ways.size(); ++w)
        if (w != way) best = std::min(best, ways[w].typical());
    const bool as_bad_as_expected = us > bad * best && us < near * expected && expected < near * us;
    if (as_bad_as_expected) ways[way].known = true;
    if (as_bad_as_expected || us > hopeless * best) now.reset();
    if (!now || now->left > 0) return;
    const double mine = ways[way].typical();
    if (now->more > 0 && mine > clearly * clearly * best && mine < close * best) now = trial{way, now->more, 0};
    else now.reset();
}

/// Models are off by the same factor for all ways, as far as anybody knows: that of the way that was seen to take least
/// for what they said of it, for others had something to build. Models tell of single calls: what a device loses by one
/// that waits for the one before, or gains by batches and graphs, they do not know, so of long chains they are half
/// believed. What a process paid once, to use GPUs at all, is in the planner's time, but not in what cores would take.
double episode_book::guess_for(const same_length& of, std::size_t kind) const
{
    if (of.is_recalled && kind == ways_.cores) // a trial may be all of a process
        return bad * of.cores_promise < of.ways[planned].typical() ? of.cores_promise : never;
    if (kind >= of.predicted.size()) return never;
    double least = never;
    for (std::size_t w = 0; w < of.predicted.size(); ++w) {
        if (w != planned && !of.ways[w].known) continue;
        const double ratio = of.predicted[kind] / of.predicted[w];
        least = std::min(least, (of.length <= few_calls ? ratio : std::sqrt(ratio)) * of.ways[w].typical());
    }
    return least;
}

/// A first trial may have had something to build, and a way that was better once may have been disturbed since.
double episode_book::expected(const same_length& of, std::size_t way) const
{
    const way_times& w = of.ways[way];
    const bool split = ways_.is_split(way);
    if (way == planned && w.known) return w.typical();
    if (w.known) {
        const double measured = std::sqrt(w.typical() * w.once), sides = split ? by_sides(of, ways_.part(way)) : never;
        return sides == never ? measured : std::sqrt(sides * measured);
    }
    const double guess = split ? guess_for_split(of, ways_.part(way)) : guess_for(of, way);
    // What kinds were seen to take says much of a split: so far beyond that, it had something to build.
    if (split && guess < never && w.typical() > hopeless * guess) return guess;
    return w.count == 0 ? guess : guess == never ? w.typical() : std::sqrt(guess * w.typical());
}

/// The one that was tried and whose part is most like this one; of two the better.
std::optional<std::size_t> episode_book::nearest_split(const same_length& of, double part) const
{
    constexpr double same = 1e-6;
    std::optional<std::size_t> nearest;
    double least = never;
    for (std::size_t w = ways_.kinds + 1; w < ways_.count(); ++w) {
        const double far = std::abs(ways_.part(w) - part);
        if (of.ways[w].rest_us.get() == never || far < same || far > least + same) continue;
        if (far < least - same || of.ways[w].typical() < of.ways[*nearest].typical()) nearest = w, least = far;
    }
    return nearest;
}

/// What the split should take: each side as long as in the nearest split for as much work. Which side held that up
/// tells on which side of it the best one lies, and devices hinder each other there as here. Infinite if nobody knows.
double episode_book::by_sides(const same_length& of, double part) const
{
    const std::optional<std::size_t> nearest = nearest_split(of, part);
    if (!nearest) return never;
    const double there = ways_.part(*nearest), whole = of.ways[*nearest].typical();
    const double rest = std::min(of.ways[*nearest].rest_us.get(), whole);
    const double of_part = rest < done_before * whole ? whole : std::min(whole, there * expected(of, ways_.part_of));
    return std::max(rest * (1 - part) / (1 - there), of_part * part / there);
}

/// Infinite for splits that are not worth a trial.
double episode_book::guess_for_split(const same_length& of, double part) const
{
    if (!may_split(of)) return never;
    if (const double sides = by_sides(of, part); sides < never)
        return sides < of.ways[of.best()].typical() ? sides : never;
    if (!is_tenth(part) || !is_near_best(of, part)) return never;
    return split_costs * std::max(part * expected(of, ways_.part_of), (1 - part) * expected(of, ways_.rest_of));
}

bool episode_book::may_split(const same_length& of) const
{
    return of.length <= few_calls && of.ways[planned].count >= planner_learns &&
           of.ways[of.best()].typical() >= worth_a_split_us;
}

/// Of the split that rates ask for, or of the best one so far.
bool episode_book::is_near_best(const same_length& of, double part) const
{
    constexpr double neighbour = 0.11; // tenths
    const double mine = expected(of, ways_.part_of), others = expected(of, ways_.rest_of);
    if (std::abs(part - others / (mine + others)) < neighbour) return true;
    std::size_t best = ways_.kinds + 1;
    for (std::size_t w = best; w < ways_.count(); ++w)
        if (of.ways[w].typical() < of.ways[best].typical()) best = w;
    return of.ways[best].known && std::abs(part - ways_.part(best)) < neighbour;
}

const episode_book::same_length* episode_book::same_start::find(unsigned bits) const
{
    const auto it = std::ranges::find(lengths, bits, [](const auto& l) { return l.first; });
    return it == lengths.end() ? nullptr : &it->second;
}

const episode_book::same_start* episode_book::find_start(const episode_start& start) const
{
    if (!last_ || !(last_->first == start)) {
        const auto s = starts_.find(start);
        last_ = s == starts_.end() ? nullptr : &*s;
    }
    return last_ ? &last_->second : nullptr;
}

/// Episodes as long as the last one.
const episode_book::same_length* episode_book::find(const episode_start& start) const
{
    const same_start* const s = find_start(start);
    return s ? s->find(s->length) : nullptr;
}

/// What follows on the way, as far as anybody knows.
const episode_book::same_length* episode_book::after(const episode_start& start, const same_length& of,
                                                     std::size_t way) const
{
    const std::optional<episode_start>& next = of.ways[way].next;
    return !next ? nullptr : *next == start ? &of : find(*next);
}

/// Whether the same follows on both ways, but for where the data lies. Else their consequences cannot be compared.
bool episode_book::lead_apart(const episode_start& start, const same_length& of, std::size_t way,
                              std::size_t other) const
{
    const std::optional<episode_start>&to = of.ways[way].next, &elsewhere = of.ways[other].next;
    if (!to || !elsewhere || *to == *elsewhere || to->recipe != elsewhere->recipe || to->shape != elsewhere->shape)
        return false; // asked first: choices are made in front of short calls, and looking starts up takes time
    const same_length *a = after(start, of, way), *b = after(start, of, other);
    return a && b && a->length == b->length;
}

/// A way's time and that of the episodes after it, which begin where it leaves the data: there or elsewhere.
double episode_book::value(const episode_start& start, const same_length& of, std::size_t way) const
{
    const double us = of.ways[way].typical();
    const same_length* next = after(start, of, way);
    return us + ahead * (next == &of ? us : next->ways[next->best()].typical());
}

std::size_t episode_book::most_calls(const episode_start& start) const
{
    const same_start* const s = find_start(start);
    return s ? std::size_t{1} << s->length : 0;
}

bool episode_book::wants_predictions(const episode_start& start) const
{
    constexpr std::size_t enough = 16; // they hardly change any more
    const same_length* of = find(start);
    return !of || of->is_recalled || of->ways[planned].count < enough;
}

std::size_t episode_book::choose(const episode_start& start, book_place& place, double first_use_us)
{
    if (const auto& before = place.before)
        if (same_length* of = find(before->from, before->length)) of->ways[before->way].is_followed_by(start);
    place = {};
    same_length* of = find(start);
    if (!of || !of->ways[planned].known) return planned;
    if (of->now && of->now->left > 0) {
        --of->now->left;
        return of->now->way;
    }
    if (of->unseen > 0) {
        --of->unseen;
        ++of->episodes;
        place.looks = false;
        return of->chosen;
    }
    if (lacks_predictions(*of)) return of->chosen = planned;
    const std::size_t chosen = wait_for_first_use(start, *of, best_for(start, *of), first_use_us);
    const std::optional<std::size_t> trial = trial_for(start, *of, chosen, first_use_us);
    if (!trial) {
        of->unseen = is_settled(*of, chosen) ? not_looked_at : 0;
        return of->chosen = chosen;
    }
    const trial_rules& rules = rules_for(of->ways[of->best()].typical());
    of->now = ways_.is_split(*trial) ? episode_book::trial{*trial, 0, closer_at_splits}
                                     : episode_book::trial{*trial, rules.at_once - 1, rules.closer};
    way_times& tried = of->ways[*trial];
    tried.rest = std::min(2 * tried.rest, longest_rest);
    tried.once = std::sqrt(tried.once * tried.typical());
    // What it took so long ago is no reason to doubt what it takes now. But the planner changes its mind.
    if (*trial != planned) tried.us.begin_anew(), tried.rest_us.begin_anew();
    return *trial;
}

/// Of a kind that was never tried the planner tells what to expect, which earlier processes do not.
bool episode_book::lacks_predictions(const same_length& of) const
{
    const auto kinds = std::span(of.ways).subspan(1, ways_.kinds);
    return of.is_recalled && of.cores_promise == never &&
           std::ranges::any_of(kinds, [](const way_times& w) { return w.count == 0; });
}

/// Looking takes a few percent of the shortest episodes.
bool episode_book::is_settled(const same_length& of, std::size_t chosen) const
{
    return of.episodes >= many && of.chosen == chosen && of.ways[chosen].typical() < short_us;
}

/// What follows on both alike is no reason to take a smaller gain for noise.
bool episode_book::is_better(const episode_start& start, const same_length& of, std::size_t way, std::size_t than) const
{
    if (!lead_apart(start, of, way, than)) return of.ways[way].typical() < clearly * of.ways[than].typical();
    return value(start, of, way) < clearly * value(start, of, than);
}

std::size_t episode_book::best_for(const episode_start& start, const same_length& of) const
{
    std::size_t best = planned;
    for (std::size_t w = 0; w < ways_.count(); ++w)
        if (of.ways[w].count > 0 && is_better(start, of, w, best)) best = w;
    return best;
}

/// Of each episode, if all go that way from now on and not the other one.
double episode_book::gain_by(const episode_start& start, const same_length& of, std::size_t way, std::size_t than) const
{
    if (!lead_apart(start, of, way, than)) return of.ways[than].typical() - of.ways[way].typical();
    return (value(start, of, than) - value(start, of, way)) / (1 + ahead);
}

/// The planner has its own account of it. Of episodes that were all of their process a way's time has it already.
std::size_t episode_book::wait_for_first_use(const episode_start& start, const same_length& of, std::size_t best,
                                             double first_use_us)
{
    const bool uses_gpu = best != planned && best != ways_.cores;
    if (first_use_us == 0 || !uses_gpu || ways_.cores == 0 || of.ways[ways_.cores].count == 0) return best;
    if (of.is_recalled && of.cores_promise < never) return best;
    const double gain = gain_by(start, of, best, ways_.cores);
    lost_before_first_use_ += gain;
    const same_length* const next = after(start, of, best);
    const std::size_t likely = of.in_last_process + (next && next != &of ? next->in_last_process : 0);
    const double loses = std::max(lost_before_first_use_, gain * static_cast<double>(likely));
    return loses < first_use_us ? ways_.cores : best;
}

/// By an episode that goes another way than the chosen one and leaves the data where that one has to begin elsewhere.
double episode_book::loss_by(const episode_start& start, const same_length& of, std::size_t way,
                             std::size_t chosen) const
{
    const double more = expected(of, way) - of.ways[chosen].typical();
    if (!lead_apart(start, of, way, chosen)) return more;
    const same_length *there = after(start, of, way), *here = after(start, of, chosen);
    return more + std::max(there->ways[there->best()].typical() - here->ways[here->best()].typical(), 0.0);
}

/// What a trial of it costs now is counted, and limited, for all such trials together.
bool episode_book::is_early(const same_length& of, std::size_t way, double best) const
{
    return of.ways[way].count < (ways_.is_split(way) ? learns_from : rules_for(best).early);
}

/// Of the ways that may be tried the one of which most is expected.
std::optional<std::size_t> episode_book::trial_for(const episode_start& start, const same_length& of,
                                                   std::size_t chosen, double first_use_us) const
{
    const double best = of.ways[of.best()].typical();
    const trial_rules& rules = rules_for(best);
    const bool splits = may_split(of); // asked once: choices are made in front of calls of some microseconds
    std::optional<std::size_t> trial;
    double least = never;
    for (std::size_t w = 0; w < ways_.count(); ++w) {
        const way_times& known = of.ways[w];
        const bool split = ways_.is_split(w);
        const bool again = w == planned ? known.count >= planner_learns : known.known;
        const std::size_t since = of.episodes - known.tried_at;
        if (w == chosen || (again && since < known.rest) || (split && known.count == 0 && !splits)) continue;
        const double expects = expected(of, w),
                     once = w == ways_.cores ? (again ? 1 : 2) * of.to_cores_us : first_use_us;
        const double loss =
            once + (again ? (split ? 1.0 : static_cast<double>(rules.at_once)) * loss_by(start, of, w, chosen)
                          : std::max(expects - best, 0.0));
        double may_lose = 0;
        if (again) may_lose = (split ? for_more_splits : rules.for_more) * best * static_cast<double>(since);
        if (is_early(of, w, best))
            may_lose = std::max(may_lose, for_trials * best * static_cast<double>(of.episodes) -
                                              (split ? of.lost_by_splits : of.lost_by_kinds));
        const bool costs_little = !again && !split && once + expects <= near * best;
        if ((loss > may_lose && !costs_little) || expects >= least) continue;
        least = expects;
        trial = w;
    }
    return trial;
}

void episode_book::note_length(const episode_start& start, std::size_t calls)
{
    if (const same_start* const s = find_start(start))
        const_cast<same_start*>(s)->length = static_cast<unsigned>(std::bit_width(calls));
}

std::vector<double> episode_book::times(const episode_start& start) const
{
    std::vector<double> all;
    if (const same_length* of = find(start))
        for (const way_times& w : of->ways) all.push_back(w.typical());
    return all;
}

episode_book::seen_episodes episode_book::seen(const episode_start& start, unsigned length, const same_length& of)
{
    const std::size_t here = of.episodes - of.recalled;
    seen_episodes s{start, length, of.episodes, {}, of.cores_promise, here > 0 ? here : of.in_last_process};
    for (std::size_t way = 0; way < of.ways.size(); ++way)
        if (const way_times& w = of.ways[way]; w.count > 0)
            s.ways.push_back({way, w.count, w.typical(), std::min(w.once, w.typical()), w.rest_us.get(),
                              w.next ? w.next : w.followed});
    return s;
}

void episode_book::recall_into(same_length& of, const seen_episodes& earlier) const
{
    of.length = earlier.length;
    of.is_recalled = true;
    of.episodes = of.recalled = earlier.episodes;
    of.in_last_process = earlier.in_last_process;
    of.ways.resize(ways_.count());
    for (const seen_way& w : earlier.ways) of.ways[w.way].recall(w, of.episodes);
    of.cores_promise = earlier.cores_promise_us;
    if (of.cores_promise < never)
        for (way_times& w : of.ways) w.known = w.count > 0;
    of.usual = of.ways[of.best()].typical();
    of.chosen = of.best();
    of.lost_by_kinds = of.lost_by_splits = for_trials * of.usual * static_cast<double>(of.episodes);
}

void episode_book::recall(const std::vector<seen_episodes>& earlier)
{
    std::size_t most = 0;
    for (const seen_episodes& e : earlier) {
        if (starts_.size() >= most_starts || e.ways.empty()) continue;
        same_start& s = starts_[e.start];
        recall_into(s.lengths.emplace_back(e.length, same_length{}).second, e);
        if (e.episodes > most) most = e.episodes, s.length = e.length;
    }
    last_ = nullptr; // what was looked for was not there
}

std::vector<episode_book::seen_episodes> episode_book::all() const
{
    std::vector<seen_episodes> episodes;
    for (const auto& [start, same] : starts_)
        for (const auto& [length, of] : same.lengths) episodes.push_back(seen(start, length, of));
    return episodes;
}

void episode_book::note(const episode_start& start, book_place& place, std::size_t way, std::size_t calls, double us,
                        std::span<const double> predicted, double rest_us, double to_cores_us)
{
    if (starts_.size() >= most_starts && !starts_.contains(start)) forget();
    same_start& s = starts_[start];
    s.length = static_cast<unsigned>(std::bit_width(calls));
    if (!s.find(s.length)) s.lengths.emplace_back(s.length, same_length{});
    same_length& of = *find(start, s.length);
    of.length = s.length;
    of.ways.resize(ways_.count());
    way_times& mine = of.ways[way];
    if (const double best = of.ways[of.best()].typical(); way != planned && is_early(of, way, best)) {
        // More was not to be expected, and is not going to happen again: something was built, or somebody disturbed.
        const double lost = std::clamp(us - best, 0.0, hopeless * best);
        (ways_.is_split(way) ? of.lost_by_splits : of.lost_by_kinds) += lost;
    }
    const double expected_us = expected(of, way);
    mine.add(us, rest_us);
    of.go_on_with_trial(way, us, expected_us);
    mine.tried_at = ++of.episodes;
    of.notice_change();
    if (way == planned) of.is_recalled = false;
    if (way == planned && !predicted.empty()) {
        of.predicted.assign(predicted.begin(), predicted.end());
        if (ways_.cores > 0) of.cores_promise = predicted[ways_.cores];
        of.to_cores_us = to_cores_us;
    }
    place.before = book_place::step{start, s.length, way};
}

} // namespace skelrt::detail
