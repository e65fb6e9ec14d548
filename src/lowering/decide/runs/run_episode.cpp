// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/runs/run_episode.hpp"

#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/decide/kernels/kernel_builder.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/program/now_ns.hpp"
#include "src/program/program.hpp"
#include "src/runtime/log.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
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

/// What the last run of each kind was like: the next one will be so, too. Of the run that is an episode.
class last_runs
{
public:
    struct habits {
        std::uint64_t work = 0;    ///< what it worked on
        bool leaves_calls = false; ///< under way at its end
    };
    habits& of(std::uint64_t kind)
    {
        constexpr std::size_t most = 512;
        if (by_kind_.size() >= most && !by_kind_.contains(kind)) by_kind_.clear();
        return by_kind_[kind];
    }

private:
    std::unordered_map<std::uint64_t, habits> by_kind_;
};

last_runs& habits()
{
    static auto& all = *new last_runs; // never destroyed: runs may end late
    return all;
}

std::mutex left_guard;
std::optional<begun_run> left; ///< the run whose calls a program has not waited for
std::atomic<bool> any_left{false};

std::optional<begun_run> take_left() noexcept
{
    if (!any_left.load(std::memory_order_acquire)) return std::nullopt;
    const std::lock_guard lock(left_guard);
    any_left.store(false, std::memory_order_relaxed);
    return std::exchange(left, std::nullopt);
}

void leave(begun_run&& run) noexcept
{
    const std::lock_guard lock(left_guard);
    left = std::move(run);
    any_left.store(true, std::memory_order_release);
}

/// Calls are done a little later than those who wait for them go on.
bool all_calls_end(const engine& e) noexcept
{
    constexpr double patience_us = 50;
    for (const double until = now_us() + patience_us; e.order.calls_in_flight > 0;)
        if (now_us() > until) return false;
    return true;
}

/// No others than its own were made since it began.
bool had_machine_to_itself(const begun_run& run, const engine& e) noexcept
{
    return e.number == run.runtime && e.order.calls_made - run.calls_before == run.way->calls();
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

/// All its calls are done. Throws bad_alloc.
void tell(begun_run& run, const engine& e, double us)
{
    strategies& book = e.ground().book();
    const run_way& way = *run.way;
    run.start.places = way.work().signature();
    const std::uint64_t before = std::exchange(habits().of(run.start.shape).work, run.start.places);
    const bool as_before = before == run.start.places || way.way() == 0;
    log_debug("a run of {} items by way {} took {:.0f} us{}", run.items, way.way(), us,
              as_before ? "" : "; chosen for other work");
    if (!as_before || way.work().elements == 0 || book.forgotten() != run.forgotten) return;
    const std::vector<double> say = predictions(e.ground(), way.sums());
    const bool told = way.way() == 0 && way.is_told_of() && std::ranges::all_of(say, [](double us) { return us > 0; });
    book.note(run.start, place, way.way(), run.items, us,
              told ? std::span<const double>(say) : std::span<const double>(), 0);
}

} // namespace

void run_episode::begin(engine& e, std::string_view title, std::size_t items, std::shared_ptr<run_way> way)
{
    const call_wishes& wishes = program::current().wishes;
    const bool free = wishes.kinds == device_set::all() && !wishes.followed;
    if (e.ground().alone().empty() || !free || e.order.calls_in_flight > 0 || e.builder().is_busy()) return;
    if (taken.exchange(true) && !take_left()) return; // what was left proves nothing: nobody waited for it
    open_ = true;
    const auto size = static_cast<std::uint64_t>(std::bit_width(items));
    const std::uint64_t kind = hash_combine(std::hash<std::string_view>()(title), size);
    run_.start = {of_a_run | static_cast<std::uint32_t>(kind >> 33), kind, habits().of(kind).work};
    run_.items = std::max<std::size_t>(items, 1);
    const std::size_t chosen = e.ground().book().begin(run_.start, place).way;
    way->set_way(chosen, e.ground().way_of(chosen).may_use.kinds);
    run_.way = std::move(way);
    run_.runtime = e.number;
    run_.forgotten = e.ground().book().forgotten();
    run_.calls_before = e.order.calls_made;
    run_.begin_us = now_us();
}

void run_episode::end(engine* e) noexcept
{
    if (!open_) return;
    const double us = now_us() - run_.begin_us;
    try {
        if (e && had_machine_to_itself(run_, *e)) {
            bool& leaves_calls = habits().of(run_.start.shape).leaves_calls;
            const bool over = leaves_calls ? e->order.calls_in_flight == 0 : all_calls_end(*e);
            leaves_calls = !over;
            if (over) tell(run_, *e, us);
            else leave(std::move(run_)), open_ = false; // still taken
        }
    } catch (const std::bad_alloc&) { // the next such run proves as much
    }
    let_go();
}

void run_episode::host_waited(const engine& e) noexcept
{
    if (!any_left.load(std::memory_order_acquire) || e.order.calls_in_flight > 1) return;
    const double now = now_us();
    if (!all_calls_end(e)) return;
    std::optional<begun_run> run = take_left();
    if (!run) return;
    try {
        if (had_machine_to_itself(*run, e)) tell(*run, e, now - run->begin_us);
    } catch (const std::bad_alloc&) { // likewise
    }
    taken = false;
}

void run_episode::let_go() noexcept
{
    if (open_) taken = false;
    open_ = false;
}

} // namespace skelrt::detail
