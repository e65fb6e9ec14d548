// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/items/item_run.hpp"

#include "src/farm/pool.hpp"
#include "src/trace/timeline.hpp"

#include <skelrt/item_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace skelrt::detail
{

item_run::item_run(std::string title, std::shared_ptr<item_source> source, run_shape shape, const run_wishes& wishes,
                   progress_teller::listener told)
    : started_run(std::move(title), wishes.priority), source_(std::move(source)), shape_(shape),
      traced_name_(names_items() ? &kept_name(started_run::title()) : nullptr), after_error_(wishes.after_error),
      asked_window_(wishes.window), progress_(std::move(told)), claims_(0), all_(shape.count),
      places_(shape.ring > 0 ? std::make_unique<place[]>(shape.ring) : nullptr), strands_(order ? shape.ring : 0)
{
    claims_.widen(takes() ? std::min(shape.count, window()) : shape.count);
}

item_run::~item_run()
{
    follow_nobody();
    if (!told_errors_ && done()) warn_of(error());
}

void item_run::open()
{
    follow_outer();
    end_if_all_ended(); // of no items
    const bool taker_runs_all = takes() && item_pool::get().is_sequential();
    if (!taker_runs_all) begin(shape_.count == run_shape::unknown ? 0 : shape_.count);
}

void item_run::cancel() noexcept
{
    request_stop();
    no_more();
}

bool item_run::run_next() noexcept
{
    const item_claims::piece mine = shape_.pulls ? pull_some() : claims_.claim(item_pool::get().cores());
    if (mine.empty()) return false;
    const auto begin = std::chrono::steady_clock::now();
    std::size_t ran = 0;
    for (std::size_t item = mine.begin; item < mine.end; ++item) ran += run_one(item);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    claims_.learn(mine, took.count());
    ran_.fetch_add(ran);
    end_items(mine.size());
    return true;
}

item_claims::piece item_run::pull_some() noexcept
{
    const std::lock_guard lock(pulling_);
    const item_claims::piece wanted = claims_.peek(item_pool::get().cores());
    std::size_t end = wanted.begin;
    try {
        while (end < wanted.end && source_->pull(end)) ++end;
    } catch (...) {
        stop_all(std::current_exception());
    }
    const item_claims::piece mine{wanted.begin, end};
    const bool got_them = !mine.empty() && claims_.claim_up_to(mine);
    if (end < wanted.end) no_more();
    return got_them ? mine : item_claims::piece{};
}

bool item_run::run_one(std::size_t item) noexcept
{
    if (is_stopped()) {
        put(item, failed);
        return false;
    }
    try {
        run_in_strand(item);
        put(item, ready);
        return true;
    } catch (const cancelled&) {
        if (is_stopped()) { // its own calls were cancelled with it
            put(item, failed);
            return false;
        }
        note_error(item);
    } catch (...) {
        note_error(item);
    }
    put(item, failed);
    return true;
}

void item_run::run_in_strand(std::size_t item)
{
    std::optional<in_strand> here;
    if (order && order->begun.on) here.emplace(make_strand(item));
    const traced_time traced(traced::item, traced_name_, shape_.first + item);
    source_->run(item, stop_token());
}

std::shared_ptr<strand> item_run::make_strand(std::size_t item)
{
    const std::string name = source_->name_of(item);
    auto made = std::make_shared<strand>(
        order, fmt::format("item {}{} of {}", shape_.first + item, name.empty() ? "" : " (" + name + ")", title()));
    if (takes()) strands_[item % shape_.ring] = made;
    return made;
}

/// With the exception under way.
void item_run::note_error(std::size_t item) noexcept
{
    const std::string name = source_->name_of(item);
    errors_.add(shape_.first + item, name.empty() ? "" : fmt::format(" ({})", name), std::current_exception());
    if (after_error_ == on_error::stop) cancel();
}

void item_run::stop_all(std::exception_ptr why) noexcept
{
    {
        const std::lock_guard lock(stopping_);
        if (!why_stopped_) why_stopped_ = std::move(why);
    }
    cancel();
}

void item_run::end_items(std::size_t n) noexcept
{
    if (progress_) tell_progress(n); // before it can be over
    ended_.fetch_add(n);
    end_if_all_ended();
}

void item_run::tell_progress(std::size_t more) noexcept
{
    const std::size_t all = all_.load();
    try {
        progress_.tell(ended_.load() + more, all == run_shape::unknown ? 0 : all);
    } catch (...) {
        stop_all(std::current_exception());
    }
}

void item_run::no_more() noexcept
{
    if (claims_.is_closed()) return;
    const std::size_t begun = claims_.close();
    all_.store(std::min(begun, shape_.count));
    end_if_all_ended();
}

void item_run::end_if_all_ended() noexcept
{
    const std::size_t ended = ended_.load();
    if (ended != all_.load() || over_.exchange(true)) return;
    if (progress_) tell_end(ended);
    set_done();
}

void item_run::tell_end(std::size_t ended) noexcept
{
    try {
        progress_.tell_end(ended, ended);
    } catch (...) {
        stop_all(std::current_exception());
    }
}

std::exception_ptr item_run::error() noexcept
{
    told_errors_ = true;
    if (const std::exception_ptr why = why_stopped()) return why;
    if (errors_.any()) return errors_.together(title());
    const std::size_t ran = ran_.load();
    const bool all_ran = shape_.count == run_shape::unknown ? !is_stopped() : ran == shape_.count;
    if (all_ran || consumer_has_enough_) return nullptr;
    const std::string of = shape_.count == run_shape::unknown ? "" : fmt::format(" of {}", shape_.count);
    return std::make_exception_ptr(cancelled(fmt::format("{}: cancelled after {}{} items", title(), ran, of)));
}

std::exception_ptr item_run::why_stopped()
{
    const std::lock_guard lock(stopping_);
    return why_stopped_;
}

void item_run::give_errors_to(item_errors& group) noexcept
{
    told_errors_ = true;
    group.add_all_of(errors_);
}

/// Who waits for this very result is told. (It writes taken_, then looks at the place; here it is the other way round.)
void item_run::put(std::size_t item, place_state s) noexcept
{
    if (!takes()) return;
    at(item).store(s);
    if (taken_.load() == item) note_change();
}

void item_run::take_all() noexcept
{
    const item_thread me(item_pool::get());
    while (true) {
        const std::uint32_t seen = changes.load();
        take_what_is_ready();
        if (done() && taken_.load() == all_.load()) return;
        help_or_sleep(*this, seen);
    }
}

void item_run::take_what_is_ready() noexcept
{
    for (std::size_t item = taken_.load(); at(item).load() != empty; item = taken_.load()) {
        if (!take(item)) cancel();
        at(item).store(empty);
        taken_.store(item + 1);
        widen();
    }
}

/// False: no more are wanted.
bool item_run::take(std::size_t item) noexcept
{
    const bool wanted = at(item).load() == ready && !consumer_has_enough_;
    if (!wanted) {
        source_->pass_over(item);
        return true;
    }
    if (order) note_end_known(strands_[item % shape_.ring]);
    try {
        if (source_->take(item)) return true;
        consumer_has_enough_ = true;
    } catch (...) {
        consumer_has_enough_ = true;
        stop_all(std::current_exception());
    }
    return false;
}

/// So many may have begun that were not taken: several pieces for each core.
std::size_t item_run::window() const noexcept
{
    if (asked_window_ > 0) return std::min(asked_window_, shape_.ring);
    constexpr std::size_t pieces_a_core = 4;
    return std::min(pieces_a_core * item_pool::get().cores() * claims_.grain(), shape_.ring);
}

/// In large steps: each wakes threads.
void item_run::widen() noexcept
{
    const std::size_t taken = taken_.load(), now = window(), limit = std::min(taken + now, shape_.count);
    const std::size_t open = std::max(claims_.limit(), taken) - taken;
    if (limit <= claims_.limit() || open > now / 2) return;
    claims_.widen(limit);
    if (can_begin()) item_pool::get().offer(shared_from_this());
}

} // namespace skelrt::detail
