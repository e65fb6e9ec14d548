// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/submit.hpp"

#include "schedulers/tsan_order.hpp"
#include "src/data/use_here.hpp"
#include "src/lowering/decide/decide.hpp"
#include "src/lowering/filter.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/red_black.hpp"
#include "src/lowering/run/submission.hpp"
#include "src/program/program.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/simulated.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

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

submitted_call& submit_as_decided(engine& e, const call& c, const request& r)
{
    way_of_call way;
    submitted_call* const held = with_lock(e, c, [&](at_once_run& here) {
        way = way_of(e, c, r);
        return way.held ? &submit_like(e, c, way.asked, way.held, here) : nullptr;
    });
    if (held) return *held;
    const auto submit_one = [&](const call& one) -> submitted_call& {
        request its = way.asked;
        std::vector<const target*> targets = devices_for(e, one, its);
        return *with_lock(e, one, [&](at_once_run& here) { return &submit_to(e, one, its, std::move(targets), here); });
    };
    return way.in_half_steps ? submit_half_steps(c, submit_one) : submit_one(c);
}

/// What goes wrong meanwhile is told at once: nobody need hear of it again.
submitted_call& submit_or_tell(engine& e, const call& c, const request& r)
{
    try {
        return submit_as_decided(e, c, r);
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
    caller_is_here();
    submitted_call* const state = &submit_or_tell(e, c, r);
    if (c.site->what.kind == skeleton::filter)
        collect_filtered(e, *state, r.may_use.kinds, *static_cast<filtered*>(c.value));
    else if (c.value) deliver(e, *state, c.value);
    else state->drop();
}

} // namespace skelrt::detail
