#include "src/lowering/submit.hpp"

#include "schedulers/tsan_order.hpp"
#include "src/data/use_here.hpp"
#include "src/lowering/call_times.hpp"
#include "src/lowering/device_trust.hpp"
#include "src/lowering/devices.hpp"
#include "src/lowering/episodes.hpp"
#include "src/lowering/filter.hpp"
#include "src/lowering/half_steps.hpp"
#include "src/lowering/known_calls.hpp"
#include "src/lowering/obey_plan.hpp"
#include "src/lowering/storages_of.hpp"
#include "src/lowering/submission.hpp"
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

/// Devices for a call that may use all; those of the episode's way, if these can do it.
std::vector<const target*> targets_for(engine& e, call& c, device_choice wanted)
{
    const device_set all = e.devices().available();
    if (wanted == device_choice{all} && !c.use) return usable_targets(e, c, all);
    try {
        std::vector<const target*> usable = usable_targets(e, c, wanted.kinds);
        std::erase_if(usable, [&](const target* t) { return !wanted.has(*t); });
        if (!usable.empty()) return usable;
    } catch (const error&) { // others may: if not, it says so again
    }
    e.program_episodes().spoil(c);
    c.use = nullptr;
    return usable_targets(e, c, all);
}

/// submit(at_once_run&) with the lock, at a moment when no other thread works on the call's containers itself; what is left to do for
/// this one it does afterwards, without the lock.
template <class Submit>
call_state* with_lock(engine& e, const call& c, Submit submit)
{
    at_once_run here;
    call_state* state = nullptr;
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

call_state* submit_as_known(engine& e, const call& c, device_choice may_use, bool free, at_once_run& here)
{
    const decision* known = e.known().find(c, may_use);
    if (known && trust_in(c.site->what, known->targets[known->device]->kind) == trust::broken) return nullptr;
    if (known && known->of_single_calls && (program::current().row.now > 0 || e.program_episodes().wants_predictions()))
        return nullptr;
    return known ? &submit_like(e, c, may_use, free, *known, here) : nullptr;
}

/// Automatically, as the episode's way wants it.
call_state& submit_freely(engine& e, const call& c, std::size_t uses)
{
    episode_way way;
    call_state* const known = with_lock(e, c, [&](at_once_run& here) -> call_state* {
        way = e.program_episodes().way_for(c);
        return way.use ? nullptr : submit_as_known(e, c, way.may_use, true, here);
    });
    if (known) return *known;
    const auto submit_one = [&](call one) -> call_state& {
        one.use = way.use;
        std::vector<const target*> targets = targets_for(e, one, way.may_use);
        return *with_lock(e, one, [&](at_once_run& here) {
            return &submit_to(e, one, way.may_use, true, std::move(targets), uses, here);
        });
    };
    if (way.use && is_red_black_in_place(c)) return submit_half_steps(c, submit_one);
    return submit_one(c);
}

/// On kinds of device that the user named, or by a plan or policy of the user's.
call_state& submit_as_told(engine& e, const call& c, device_set kinds, std::size_t uses, bool by_kinds)
{
    call_state* const known = with_lock(e, c, [&](at_once_run& here) {
        e.program_episodes().spoil(c);
        return by_kinds ? submit_as_known(e, c, {kinds}, false, here) : nullptr;
    });
    if (known) return *known;
    std::vector<const target*> targets = usable_targets(e, c, kinds);
    const bool free = kinds == e.devices().available() && !range_for(e, c);
    return *with_lock(
        e, c, [&](at_once_run& here) { return &submit_to(e, c, {kinds}, free, std::move(targets), uses, here); });
}

/// What goes wrong meanwhile is told at once: nobody need hear of it again.
call_state& submit_or_tell(engine& e, const call& c, device_set kinds, std::size_t uses)
{
    const bool automatic = !e.devices().policy_places() && !is_trial() && !range_for(e, c);
    try {
        if (automatic && kinds == e.devices().available()) return submit_freely(e, c, uses);
        return submit_as_told(e, c, kinds, uses, automatic);
    } catch (...) {
        throw_noted(std::current_exception());
    }
}

/// The host asked for the value: waits, combines, throws what went wrong.
void deliver(engine& e, call_state& state, void* value)
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

void submit(engine& e, const call& c, device_set kinds, std::size_t uses)
{
    if (simulated && c.site->what.kind == skeleton::filter)
        throw error(fmt::format("{}: simulated kernels count nothing, so nobody knows how long a filter's result is; "
                                "simulate a map instead",
                                c.site->what.name));
    if (program& mine = program::current(); mine.is_far_ahead()) {
        e.order.flush();
        mine.wait_for_own_calls();
    }
    call_state* const state = &submit_or_tell(e, c, kinds, uses);
    if (c.site->what.kind == skeleton::filter) collect_filtered(e, *state, kinds, *static_cast<storage_ref*>(c.value));
    else if (c.value) deliver(e, *state, c.value);
    else state->drop();
}

} // namespace skelrt::detail
