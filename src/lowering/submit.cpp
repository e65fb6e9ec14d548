#include "src/lowering/submit.hpp"

#include "src/lowering/call_times.hpp"
#include "src/lowering/devices.hpp"
#include "src/lowering/episodes.hpp"
#include "src/lowering/filter.hpp"
#include "src/lowering/half_steps.hpp"
#include "src/lowering/known_calls.hpp"
#include "src/lowering/obey_plan.hpp"
#include "src/lowering/submission.hpp"
#include "src/runtime/flush.hpp"
#include "src/runtime/waited.hpp"
#include "src/simulation/simulation.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// Beyond, the submitting thread waits: tasks cost memory, and what they need is in no cache any more when many wait.
constexpr long most_calls_in_flight = 256;

/// Devices for a call that may use all; those of the episode's way, if these can do it.
std::vector<const target*> targets_for(engine& e, call& c, device_choice wanted)
{
    const device_set all = e.available();
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

call_state* submit_as_known(engine& e, const call& c, device_choice may_use, bool free)
{
    const decision* known = e.known().find(c, may_use);
    if (known && known->of_single_calls && (e.row.now > 0 || e.program_episodes().wants_predictions())) return nullptr;
    return known ? &submit_like(e, c, may_use, free, *known) : nullptr;
}

/// Automatically, as the episode's way wants it.
call_state& submit_freely(engine& e, const call& c, std::size_t uses)
{
    episode_way way;
    {
        std::lock_guard lock(e.submission);
        way = e.program_episodes().way_for(c);
        if (!way.use)
            if (call_state* state = submit_as_known(e, c, way.may_use, true)) return *state;
    }
    const auto submit_one = [&](call one) -> call_state& {
        one.use = way.use;
        std::vector<const target*> targets = targets_for(e, one, way.may_use);
        std::lock_guard lock(e.submission);
        return submit_to(e, one, way.may_use, true, std::move(targets), uses);
    };
    if (way.use && is_red_black_in_place(c)) return submit_half_steps(c, submit_one);
    return submit_one(c);
}

/// On kinds of device that the user named, or by a plan or policy of the user's.
call_state& submit_as_told(engine& e, const call& c, device_set kinds, std::size_t uses, bool by_kinds)
{
    {
        std::lock_guard lock(e.submission);
        e.program_episodes().spoil(c);
        if (by_kinds)
            if (call_state* state = submit_as_known(e, c, {kinds}, false)) return *state;
    }
    std::vector<const target*> targets = usable_targets(e, c, kinds);
    const bool free = kinds == e.available() && !range_for(e, c);
    std::lock_guard lock(e.submission);
    return submit_to(e, c, {kinds}, free, std::move(targets), uses);
}

/// The host asked for the value: waits, combines, throws what went wrong.
void deliver(engine& e, call_state& state, void* value)
{
    flush(e);
    state.tasks->wait();
    note_wait(e, nullptr);
    std::exception_ptr what = state.fault();
    if (!what) {
        try {
            state.combine_partials(value);
        } catch (...) {
            what = std::current_exception();
        }
    }
    state.drop();
    if (what) std::rethrow_exception(what);
}

} // namespace

void submit(engine& e, const call& c, device_set kinds, std::size_t uses)
{
    if (simulated && c.site->what.kind == skeleton::filter)
        throw error(fmt::format("{}: simulated kernels count nothing, so nobody knows how long a filter's result is; "
                                "simulate a map instead",
                                c.site->what.name));
    if (e.calls_in_flight > most_calls_in_flight) {
        flush(e);
        starpu_task_wait_for_n_submitted(static_cast<unsigned>(starpu_task_nsubmitted()) / 2);
    }
    const bool automatic = !e.policy_places() && !is_trial() && !range_for(e, c);
    call_state* const state = automatic && kinds == e.available() ? &submit_freely(e, c, uses)
                                                                  : &submit_as_told(e, c, kinds, uses, automatic);
    if (c.site->what.kind == skeleton::filter) collect_filtered(e, *state, kinds, *static_cast<storage_ref*>(c.value));
    else if (c.value) deliver(e, *state, c.value);
    else state->drop();
}

} // namespace skelrt::detail
