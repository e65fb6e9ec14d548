#include "src/lowering/submit.hpp"

#include "schedulers/tsan_order.hpp"
#include "src/data/use_here.hpp"
#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/decide/cache.hpp"
#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/decide/usable.hpp"
#include "src/lowering/filter.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/red_black.hpp"
#include "src/lowering/run/submission.hpp"
#include "src/program/program.hpp"
#include "src/runtime/simulated.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// Devices for a call that goes the episode's way, if these can do it; else all.
std::vector<const target*> targets_for(engine& e, const call& c, request& r)
{
    request by_planner = r;
    by_planner.may_use = {e.devices().available()};
    by_planner.obeyed = nullptr;
    if (r.may_use == by_planner.may_use && !r.obeyed) return usable_targets(e, c, r);
    try {
        std::vector<const target*> usable = usable_targets(e, c, r);
        if (!usable.empty()) return usable;
    } catch (const error&) { // others may: if not, it says so again
    }
    e.program_episodes().spoil(c);
    r.obeyed = nullptr;
    return usable_targets(e, c, by_planner);
}

/// submit(at_once_run&) with the lock, at a moment when no other thread works on the call's containers itself; what is
/// left to do for this one it does afterwards, without the lock.
template <class Submit>
submitted_call* with_lock(engine& e, const call& c, Submit submit)
{
    at_once_run here;
    submitted_call* state = nullptr;
    {
        const auto lock = e.order.lock_when_unused([&] {
            bool used = false;
            for_each_storage(c, [&](storage& s, bool written) {
                const managed_state* const m = s.managed.load(std::memory_order_acquire);
                used = used || (m && m->is_worked_on(written));
            });
            return used;
        });
        state = submit(here);
    }
    here.run();
    return state;
}

/// As the last call in this situation; null: it has to be decided upon.
submitted_call* submit_as_held(engine& e, const call& c, const request& r, at_once_run& here)
{
    const std::optional<situation> now = situation_of_one_task(c, r);
    const decision* const held = now ? e.decisions().find(c.site->what.id, *now) : nullptr;
    if (!held || trust_in(c.site->what, held->targets[held->groups[0].device]->kind) == trust::broken) return nullptr;
    const bool single = program::current().row.now == 0 && !e.program_episodes().wants_predictions();
    return held->of_single_calls && !single ? nullptr : &submit_like(e, c, r, *held, here);
}

submitted_call& submit_to_usable(engine& e, const call& c, const request& r, std::vector<const target*> targets)
{
    return *with_lock(e, c, [&](at_once_run& here) { return &submit_to(e, c, r, std::move(targets), here); });
}

/// Automatically, as the episode's way wants it.
submitted_call& submit_freely(engine& e, const call& c, request r)
{
    const plan* split = nullptr;
    submitted_call* const held = with_lock(e, c, [&](at_once_run& here) -> submitted_call* {
        const episode_way way = e.program_episodes().way_for(c);
        r.may_use = way.may_use;
        split = way.use;
        return split ? nullptr : submit_as_held(e, c, r, here);
    });
    if (held) return *held;
    if (split) r.obeyed = split->at(c.rows * c.cols);
    const auto submit_one = [&](const call& one) -> submitted_call& {
        request its = r;
        std::vector<const target*> targets = targets_for(e, one, its);
        return submit_to_usable(e, one, its, std::move(targets));
    };
    if (split && is_red_black_in_place(c)) return submit_half_steps(c, submit_one);
    return submit_one(c);
}

/// On kinds of device that the user named, or by a plan or policy of the user's.
submitted_call& submit_as_told(engine& e, const call& c, request r)
{
    submitted_call* const held = with_lock(e, c, [&](at_once_run& here) {
        e.program_episodes().spoil(c);
        return r.by == placed_by::kinds ? submit_as_held(e, c, r, here) : nullptr;
    });
    if (held) return *held;
    std::vector<const target*> targets = usable_targets(e, c, r);
    return submit_to_usable(e, c, r, std::move(targets));
}

/// What goes wrong meanwhile is told at once: nobody need hear of it again.
submitted_call& submit_or_tell(engine& e, const call& c, const request& r)
{
    try {
        return r.by == placed_by::strategy ? submit_freely(e, c, r) : submit_as_told(e, c, r);
    } catch (...) {
        throw_noted(std::current_exception());
    }
}

/// The host asked for the value: waits, combines, throws what went wrong.
void deliver(engine& e, submitted_call& state, void* value)
{
    e.order.flush();
    state.tasks->wait();
    comes_after(&state);
    e.order.note_wait(nullptr);
    std::exception_ptr what = state.fault();
    if (!what) what = state.tasks->fault();
    if (!what) {
        try {
            state.combine_partials(value);
        } catch (...) {
            what = std::current_exception();
        }
    }
    state.drop();
    if (what) throw_noted(what);
}

} // namespace

void submit(engine& e, const call& c, const request& r)
{
    if (simulated && c.site->what.kind == skeleton::filter)
        throw error(fmt::format("{}: simulated kernels count nothing, so nobody knows how long a filter's result is; "
                                "simulate a map instead",
                                c.site->what.name));
    if (program& mine = program::current(); mine.is_far_ahead()) {
        e.order.flush();
        mine.wait_for_own_calls();
    }
    submitted_call* const state = &submit_or_tell(e, c, r);
    if (c.site->what.kind == skeleton::filter)
        collect_filtered(e, *state, r.may_use.kinds, *static_cast<storage_ref*>(c.value));
    else if (c.value) deliver(e, *state, c.value);
    else state->drop();
}

} // namespace skelrt::detail
