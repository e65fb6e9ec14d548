// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/pipelines/token_run.hpp"

#include "src/farm/pool.hpp"
#include "src/trace/timeline.hpp"

#include <skelrt/item_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include <sched.h>

namespace skelrt::detail
{

namespace
{

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto looks_for = 100us; ///< new tokens often come that soon, and so long takes waking up
constexpr auto stays_for = 50us;  ///< at a pipeline where there is work, before a thread looks at others
constexpr auto stays_for_at_most = 1ms;

std::size_t window_of(const token_wishes& wishes)
{
    return wishes.window > 0 ? wishes.window : std::size_t{4} * item_pool::get().cores();
}

/// Null: of a stage that takes as many as come.
std::unique_ptr<stage_gate> gate_of(const stage_shape& s, std::size_t window)
{
    if (s.kind == stage_kind::parallel && (s.limit == 0 || s.limit >= window)) return nullptr;
    const auto order = s.kind == stage_kind::in_order ? gate_order::of_numbers : gate_order::of_arrival;
    return std::make_unique<stage_gate>(order, s.kind == stage_kind::parallel ? s.limit : 1, window);
}

} // namespace

token_run::token_run(std::string title, std::shared_ptr<token_stages> stages, const token_wishes& wishes)
    : started_run(std::move(title), wishes.priority), stages_(std::move(stages)),
      stage_count_(stages_->shapes().size()), window_(window_of(wishes)), ready_(window_.size()),
      tokens_(window_.size())
{
    stages_->make_places(window_.size());
    for (std::size_t s = 0; names_items() && s < stage_count_; ++s)
        traced_names_.push_back(&kept_name(fmt::format("{}, stage {}", started_run::title(), s + 1)));
    gates_.emplace_back(); // the source's is the window
    for (std::size_t s = 1; s < stage_count_; ++s) gates_.push_back(gate_of(stages_->shapes()[s], window_.size()));
}

token_run::~token_run()
{
    follow_nobody();
    if (!told_ && done()) warn_of(error());
}

void token_run::open()
{
    follow_outer();
    begin();
}

/// Stages that run see it by their stop_token. All other tokens are dropped: here, or by the thread that has them.
void token_run::cancel() noexcept
{
    drop_from(0);
    request_stop();
    if (window_.close()) set_over();
    while (const auto place = ready_.take()) carry(*place);
}

void token_run::wait() noexcept
{
    constexpr auto nap = 20ms; // then it looks whether the pool has threads for what is left
    if (done()) return;
    const item_thread me(item_pool::get());
    for (std::uint32_t seen = changes.load(); !done(); seen = changes.load()) {
        if (run_some() || done()) continue;
        const falls_asleep away;
        changes.sleep_while(seen, nap);
    }
}

std::exception_ptr token_run::error() noexcept
{
    told_ = true;
    if (errors_.any()) return errors_.together(title());
    if (source_ended_ && !any_dropped_) return nullptr;
    return std::make_exception_ptr(cancelled(fmt::format("{}: cancelled after {} tokens", title(), ended_.load())));
}

bool token_run::run_next() noexcept
{
    bool any = false;
    const auto begin = clock::now();
    do {
        while (const auto place = next_token()) {
            carry(*place);
            any = true;
            if (!is_stopped() && can_begin() && clock::now() - begin > stays_for) return true;
        }
    } while (clock::now() - begin < stays_for_at_most && look_for_more());
    return any;
}

std::optional<std::size_t> token_run::next_token() noexcept
{
    if (!ready_.any() && !is_stopped()) return pull();
    const auto place = ready_.take();
    if (!place) return pull();
    if (can_begin()) tell_of_work();
    return place;
}

std::optional<std::size_t> token_run::pull() noexcept
{
    const auto place = window_.begin();
    if (!place) return std::nullopt;
    const std::size_t number = pulled_;
    bool filled = false;
    try {
        filled = stages_->pull(*place, stop_token());
        if (!filled) source_ended_ = true;
    } catch (const cancelled&) {
        if (!is_stopped()) note_error(number, 0);
    } catch (...) {
        note_error(number, 0);
    }
    if (!filled) {
        if (window_.not_filled(*place)) set_over();
        return std::nullopt;
    }
    ++pulled_;
    tokens_[*place] = {.number = number, .stage = 1};
    window_.filled();
    if (window_.can_begin()) tell_of_work();
    return place;
}

/// One thread at a time stays awake for a while: of short stages, none must be woken for each token.
bool token_run::look_for_more() noexcept
{
    if (done() || somebody_looks_.exchange(true)) return can_begin();
    const auto until = clock::now() + looks_for;
    while (!can_begin() && !done() && clock::now() < until) sched_yield();
    somebody_looks_ = false;
    return can_begin(); // who had something for others may have relied on this thread
}

/// Called by whoever makes a token ready, or the source free, and by whoever takes one while there are more. Where
/// somebody knows already that there is something to do, it costs next to nothing.
void token_run::tell_of_work() noexcept
{
    if (!somebody_looks_ && !offered && !is_stopped()) item_pool::get().offer(shared_from_this());
}

void token_run::carry(std::size_t place) noexcept
{
    for (std::optional<std::size_t> now = place; now;) now = go_on(*now);
}

/// One stage of a token. Returns the one to go on with.
std::optional<std::size_t> token_run::go_on(std::size_t place) noexcept
{
    if (!tokens_[place].is_in_stage && !enter(place)) return std::nullopt;
    run_stage(place);
    return leave(place);
}

/// False: others may have the token by now.
bool token_run::enter(std::size_t place)
{
    token& t = tokens_[place];
    t.is_in_stage = true; // of whoever takes it
    stage_gate* const gate = gates_[t.stage].get();
    return !gate || gate->enter(place, t.number);
}

void token_run::run_stage(std::size_t place) noexcept
{
    token& t = tokens_[place];
    if (t.number >= first_dropped_.load()) t.dropped = true;
    if (t.dropped) return;
    const traced_time traced(traced::item, traced_names_.empty() ? nullptr : traced_names_[t.stage], t.number);
    try {
        stages_->run(t.stage, place, stop_token());
        return;
    } catch (const cancelled&) {
        if (!is_stopped()) note_error(t.number, t.stage);
    } catch (...) {
        note_error(t.number, t.stage);
    }
    t.dropped = true;
}

/// Of one that lets in one at a time, the thread goes on with the next one: the stage's data is at hand, and nobody
/// waits longer for it than need be. Of others it goes on with its token, whose data is at hand.
std::optional<std::size_t> token_run::leave(std::size_t place) noexcept
{
    token& t = tokens_[place];
    stage_gate* const gate = gates_[t.stage].get();
    t.is_in_stage = false;
    const bool was_last = ++t.stage == stage_count_;
    const stage_gate::leaving left = gate ? gate->leave() : stage_gate::leaving{};
    if (left.next && gate->is_for_one() && !left.hands_over) {
        end_or_put(place);
        return left.next;
    }
    if (left.next) put(*left.next);
    if (!was_last) return place;
    end(place);
    return std::nullopt;
}

void token_run::end_or_put(std::size_t place) noexcept
{
    if (tokens_[place].stage == stage_count_) end(place);
    else put(place);
}

void token_run::put(std::size_t place) noexcept
{
    ready_.put(place);
    tell_of_work();
}

void token_run::end(std::size_t place) noexcept
{
    stages_->drop(place);
    if (tokens_[place].dropped) any_dropped_ = true;
    else ended_.fetch_add(1);
    if (window_.end(place)) set_over();
    else if (window_.can_begin()) tell_of_work();
}

/// With the exception under way.
void token_run::note_error(std::size_t number, std::size_t stage) noexcept
{
    const std::string& name = stages_->shapes()[stage].name;
    const std::string behind = fmt::format(", stage {}{}", stage, name.empty() ? "" : fmt::format(" ({})", name));
    errors_.add(number, behind, std::current_exception());
    drop_from(number);
    static_cast<void>(window_.close()); // not the end: this token is alive
}

void token_run::drop_from(std::size_t number) noexcept
{
    std::size_t now = first_dropped_.load();
    while (number < now && !first_dropped_.compare_exchange_weak(now, number)) {}
}

void token_run::set_over() noexcept
{
    stages_->end(ended_.load());
    set_done();
}

} // namespace skelrt::detail
