#include "src/lowering/decide/runs/run_episode.hpp"

#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/program/now_ns.hpp"
#include "src/program/program.hpp"
#include "src/runtime/log.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <new>
#include <unordered_map>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Numbers of recipes are small: no call's episode begins like a run's.
constexpr std::uint32_t of_a_run = 1u << 31;

std::atomic<bool> taken{false}; ///< some run is an episode
book_place place;               ///< of that run

/// What the last run of each kind worked on: the next one will do so, too. Of the run that is an episode.
class last_works
{
public:
    std::uint64_t of(std::uint64_t kind) const
    {
        const auto known = by_kind_.find(kind);
        return known == by_kind_.end() ? 0 : known->second;
    }
    /// Whether it was the same before.
    bool note(std::uint64_t kind, std::uint64_t work)
    {
        constexpr std::size_t most = 512;
        if (by_kind_.size() >= most) by_kind_.clear();
        return std::exchange(by_kind_[kind], work) == work;
    }

private:
    std::unordered_map<std::uint64_t, std::uint64_t> by_kind_;
};

last_works& works()
{
    static auto& all = *new last_works; // never destroyed: runs may end late
    return all;
}

/// Calls are done a little later than those who wait for them go on.
bool all_calls_end(const engine& e) noexcept
{
    constexpr double patience_us = 50;
    for (const double until = now_us() + patience_us; e.order.calls_in_flight > 0;)
        if (now_us() > until) return false;
    return true;
}

/// By the planner: until the busiest device is done. By those that have it alone: one call after the other.
std::vector<double> predictions(const episode_ground& ground, const run_way::times& sums)
{
    std::vector<double> all{sums.busy_us.empty() ? 0 : std::ranges::max(sums.busy_us)};
    for (const device_choice& choice : ground.alone()) {
        double rates = 0;
        for (const target& t : ground.runs_on().devices().targets())
            if (choice.has(t) && t.index < sums.single_us.size() && sums.single_us[t.index] > 0)
                rates += 1 / sums.single_us[t.index];
        all.push_back(rates > 0 ? 1 / rates : 0);
    }
    return all;
}

} // namespace

void run_episode::begin(engine& e, std::string_view title, std::size_t items, run_way& way)
{
    const call_wishes& wishes = program::current().wishes;
    const bool free = wishes.kinds == device_set::all() && !wishes.followed;
    if (e.ground().alone().empty() || !free || e.order.calls_in_flight > 0 || taken.exchange(true)) return;
    open_ = true;
    const auto size = static_cast<std::uint64_t>(std::bit_width(items));
    const std::uint64_t kind = hash_combine(std::hash<std::string_view>()(title), size);
    start_ = {of_a_run | static_cast<std::uint32_t>(kind >> 33), kind, works().of(kind)};
    items_ = std::max<std::size_t>(items, 1);
    const std::size_t chosen = e.ground().book().begin(start_, place).way;
    way.set_way(chosen, e.ground().way_of(chosen).may_use.kinds);
    runtime_ = e.number;
    forgotten_ = e.ground().book().forgotten();
    calls_before_ = e.order.calls_made;
    begin_us_ = now_us();
}

bool run_episode::had_machine_to_itself(const engine& e, const run_way& way) const noexcept
{
    return e.order.calls_made - calls_before_ == way.calls() && all_calls_end(e);
}

void run_episode::end(engine* e, const run_way& way) noexcept
{
    if (!open_) return;
    try {
        tell(e, way, now_us() - begin_us_);
    } catch (const std::bad_alloc&) { // the next such run proves as much
    }
    let_go();
}

void run_episode::tell(engine* e, const run_way& way, double us)
{
    strategies* const book = e && e->number == runtime_ ? &e->ground().book() : nullptr;
    start_.places = way.work().signature();
    const bool as_before = works().note(start_.shape, start_.places) || way.way() == 0;
    if (book && as_before && way.work().elements > 0 && book->forgotten() == forgotten_ &&
        had_machine_to_itself(*e, way)) {
        const std::vector<double> say = predictions(e->ground(), way.sums());
        const bool told = way.way() == 0 && std::ranges::all_of(say, [](double us) { return us > 0; });
        log_debug("a run of {} items by way {} took {:.0f} us", items_, way.way(), us);
        book->note(start_, place, way.way(), items_, us,
                   told ? std::span<const double>(say) : std::span<const double>(), 0);
    }
}

void run_episode::let_go() noexcept
{
    if (open_) taken = false;
    open_ = false;
}

} // namespace skelrt::detail
