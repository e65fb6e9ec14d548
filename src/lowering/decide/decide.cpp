// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/decide.hpp"

#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/decide/cache.hpp"
#include "src/lowering/decide/caller.hpp"
#include "src/lowering/decide/edges/edges.hpp"
#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/decide/usable.hpp"
#include "src/lowering/place/layout/layout.hpp"
#include "src/lowering/plan/grain.hpp"
#include "src/lowering/plan/predict_ways.hpp"
#include "src/lowering/plan/survey.hpp"
#include "src/lowering/plan/told.hpp"
#include "src/lowering/red_black.hpp"
#include "src/lowering/run/pending.hpp"
#include "src/lowering/run/submitted_call.hpp"
#include "src/lowering/traits.hpp"
#include "src/model/knowledge.hpp"
#include "src/program/program.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/simulated.hpp"

#include <skelrt/error.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// As the last call in this situation; null: it has to be decided upon.
shared_decision find_held(engine& e, const call& c, const request& r)
{
    const std::optional<situation> now = situation_of_one_task(c, r);
    shared_decision held = now ? e.decisions().find(c.site->what.id, *now) : nullptr;
    if (!held || !is_still_best(*held, e, program::current()) ||
        trust_in(c.site->what, held->targets[held->groups[0].device]->kind) == trust::broken)
        return nullptr;
    const bool single = program::current().row.now == 0 && !e.program_episodes().wants_predictions();
    return held->of_single_calls && !single ? nullptr : held;
}

/// Whether one device's part of a split waits for another's: when it is done tells nothing of what it took.
bool parts_wait(const submitted_call& state) { return traits_of(state.what().kind).parts_wait || state.color >= 0; }

bool gives_value(const submitted_call& state) { return state.what().kind == skeleton::reduce && !state.result.data; }

/// Of the planner's, with nothing before it and nothing after it.
bool is_one_plain_task(const decided_call& d)
{
    return !d.by.devices().policy_places() && d.made.groups.size() == 1 && !d.by.wanted.is_trial &&
           !d.state.needs_combine() && traits_of(d.what.site->what.kind).may_batch;
}

/// Whether the device of its only group has all of its data.
bool has_all(const decided_call& d)
{
    const target& where = d.where();
    const auto gathered = [&](const whole_operand& w) {
        return !d.data.wants_replica(w, &where) || (w.data->replica && w.data->replica_version == w.data->version);
    };
    if (d.made.missing_on(d.made.groups[0].device, d.state.segments.size()) > 0) return false;
    const auto is_scalar = [](const slot_type& s) { return s.kind == slot_kind::scalar; };
    return d.data.missing_whole_bytes(where) == 0 && std::ranges::all_of(d.data.whole_operands(), gathered) &&
           static_cast<std::ptrdiff_t>(d.data.scalars_at(where)) ==
               std::ranges::count_if(d.what.site->what.slots, is_scalar);
}

one_task one_task_of(const decided_call& d)
{
    const auto here = [&](const schedulers::worker_cost& c) { return c.worker == d.where().worker; };
    const trust in_function = trust_in(d.what.site->what, d.where().kind);
    one_task t;
    t.where = d.where().kind;
    t.us = us_of(d.costs[d.made.groups[0].device], d.state.groups[0].elements);
    t.plain = is_one_plain_task(d);
    t.told = d.asked.obeyed != nullptr;
    t.held = d.held;
    t.checked = in_function != trust::unknown && in_function != trust::broken;
    t.maps_scalars = d.data.maps_scalars();
    t.all_there = t.plain && !t.held && has_all(d);
    t.measured = std::ranges::any_of(d.state.takers, here);
    t.may_end_early = d.state.groups[0].may_end_early;
    t.follows = d.follows;
    t.own_core = d.made.own_core;
    return t;
}

call_surroundings surroundings_of(const decided_call& d)
{
    call_surroundings around;
    around.in_flight = program::current().calls_in_flight();
    around.longest_led_us = longest_on_calling_thread_us(d.by, d.by.devices().available());
    around.caller_is_free =
        !simulated && d.where().kind == device::cpu && may_run_inline(d.asked.obeyed) && d.data.is_only_user();
    around.caller_has_core = compute_right::current() != nullptr;
    around.batches = d.by.pending().enabled();
    return around;
}

/// For who does not hold the order's lock.
std::size_t likely_run_now(engine& e, const call& c, const request& asked)
{
    const std::unique_lock lock(e.order);
    return likely_run(e, c, asked);
}

} // namespace

way_of_call way_of(engine& e, const call& c, const request& r)
{
    way_of_call way{r};
    episodes& mine = e.program_episodes();
    if (r.by != placed_by::strategy) {
        mine.spoil(c);
        if (r.by == placed_by::kinds) way.held = find_held(e, c, r);
        return way;
    }
    const episode_way goes = mine.way_for(c);
    way.asked.may_use = goes.may_use;
    if (!goes.use) {
        way.held = find_held(e, c, way.asked);
        return way;
    }
    way.asked.obeyed = goes.use->at(c.rows * c.cols);
    way.in_half_steps = is_red_black_in_place(c);
    return way;
}

std::vector<const target*> devices_for(engine& e, const call& c, request& asked)
{
    const std::size_t run = likely_run_now(e, c, asked);
    request by_planner = asked;
    by_planner.may_use = {e.devices().available()};
    by_planner.obeyed = nullptr;
    const bool by_strategy = asked.by == placed_by::strategy && (asked.may_use != by_planner.may_use || asked.obeyed);
    if (by_strategy) {
        try {
            std::vector<const target*> usable = usable_targets(e, c, asked, run);
            if (!usable.empty()) return usable;
        } catch (const error&) { // others may: if not, it says so again
        }
        e.program_episodes().spoil(c);
        asked.obeyed = nullptr;
    }
    request& last = by_strategy ? by_planner : asked;
    std::vector<const target*> usable = usable_targets(e, c, last, run);
    asked.meanwhile = last.meanwhile;
    asked.loses = last.loses;
    if (asked.meanwhile) e.program_episodes().spoil(c);
    return usable;
}

std::size_t likely_run(const engine& e, const call& c, const request& asked)
{
    return asked.uses > 1 ? asked.uses : expected_run(e, c);
}

cut_wish cut_for(const engine& e, const call& c, const request& asked, const std::vector<const target*>& targets,
                 std::size_t run)
{
    const skeleton kind = c.site->what.kind;
    constexpr std::size_t fine = 32, twentieths = 20; // shares are rounded to whole tiles
    const std::size_t shares = asked.obeyed ? asked.obeyed->shares.size() : 0;
    switch (cut_by({.for_one_device = traits_of(kind).for_one_device || is_red_black_in_place(c),
                    .scan = kind == skeleton::scan,
                    .free = asked.free,
                    .shares = shares})) {
    case cut_rule::sizes:
        return {};
    case cut_rule::shares:
        return {fine};
    case cut_rule::split: // small tiles would stay when it has lost, and copies of such take GPUs longer
        return {std::max(usual_grain(c), twentieths)};
    case cut_rule::models:
        if (const std::size_t tiles = tiles_wanted_for_edges(e, c, targets)) return {tiles, true};
        break;
    }
    return {wanted_grain(e, c, targets, run)};
}

shared_decision decide(engine& e, const call& c, submitted_call& state, layout& data,
                       const std::vector<const target*>& targets, const request& asked, std::size_t run, bool follows)
{
    if constexpr (!simulated) e.learnt.models.count_call(state.what()); // there, no model is ever stale
    shared_decision made = plan_call(e, state, data, targets, {asked, run, follows});
    if (!asked.obeyed) return with_edges_apart(e, c, data, std::move(made));
    decision obeying = *made;
    obeying.threads = threads_of(*asked.obeyed);
    for (const target* t : targets) obeying.blocks.push_back(block_of(*asked.obeyed, *t));
    return std::make_shared<const decision>(std::move(obeying));
}

void go_as_held(engine& e, const submitted_call& state, const layout& data, const std::vector<const target*>& targets,
                const request& asked, const decision& held)
{
    if constexpr (!simulated) e.learnt.models.count_call(state.what());
    episodes& to = e.program_episodes();
    if (asked.free && to.wants_predictions())
        predict_ways_again(to, targets, held.costs, held.groups[0].device, state.evaluations(0),
                           us_to_cores(targets, data, to.number()));
}

bool may_end_early(const decided_call& d)
{
    constexpr std::uint64_t measured_each = 64;
    if (d.by.devices().policy_places() || d.made.groups.size() != 1 ||
        (d.state.leaves_partials() && !d.state.direct && !gives_value(d.state)) || d.state.number % measured_each == 0)
        return false;
    const target& where = d.where();
    if (where.kind != device::cuda || d.data.missing_whole_bytes(where) > 0 ||
        d.made.missing_on(d.made.groups[0].device, d.state.segments.size()) > 0)
        return false;
    if (d.data.maps_scalars()) return true;
    const std::size_t n = d.state.groups[0].elements;
    return d.by.learnt.models
        .predict(d.what.site->what, runner_of(where), n, d.what.site->core.near(n), d.by.devices().cores())
        .sure();
}

carrier carrier_for(const decided_call& d)
{
    if (d.by.devices().policy_places()) return carrier::tasks;
    return carrier_of(one_task_of(d), surroundings_of(d));
}

carrier carrier_instead_of_caller(const decided_call& d)
{
    call_surroundings around = surroundings_of(d);
    around.caller_is_free = false;
    return carrier_of(one_task_of(d), around);
}

void hold(const decided_call& d, carrier by)
{
    if (d.asked.meanwhile || d.asked.loses) return;
    const one_task t = one_task_of(d);
    const unsigned device = d.made.groups[0].device;
    if (!is_worth_holding(t, by, d.made, device, d.state.groups[0].elements)) return;
    const std::optional<situation> now = situation_of_one_task(d.what, d.asked);
    if (!now) return;
    decision held;
    held.targets = d.targets;
    held.groups = {{device, 0, 1}};
    held.costs = d.made.costs;
    held.busy_us = d.made.busy_us;
    held.single_us = d.made.single_us;
    held.own_core = d.made.own_core;
    held.may_end_early = t.may_end_early;
    held.of_single_calls = holds_for_single_calls(t, d.made);
    d.by.decisions().remember(d.what.site->what.id, *now, std::make_shared<const decision>(std::move(held)));
}

void watch_split(engine& e, const request& asked, submitted_call& state)
{
    if (asked.free && asked.obeyed && !parts_wait(state)) state.of_split = &e.program_episodes();
}

void tell_cores_are_done(const submitted_call& c) noexcept
{
    if (c.of_split) c.of_split->cores_are_done();
}

std::uint64_t number_of_episode(engine& e) { return e.program_episodes().number(); }

void forget_decisions(engine& e) { e.decisions().forget(); }

} // namespace skelrt::detail
