// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/caller.hpp"

#include "src/lowering/plan/told.hpp"
#include "src/lowering/traits.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/cores/compute_right.hpp"

#include "codelets/work.hpp"

#include <algorithm>
#include <limits>

namespace skelrt::detail
{

namespace
{

/// Whether the calling thread has a core to compute on, as items have, and the call is for cores only: whoever else did
/// it would only take another core.
bool has_own_core(const engine& e, device_set kinds) noexcept
{
    return compute_right::current() && (kinds & e.devices().available()) == device_set(device::cpu);
}

/// Whether the calling thread may lead all cores through such a call on host data. A task would cost more than it gains
/// where the call is short.
bool may_lead(const engine& e, const call& c, device_set kinds, unsigned cores) noexcept
{
    return cores > 1 && traits_of(c.site->what.kind).caller_leads && !e.devices().policy_places() &&
           kinds == e.devices().available();
}

/// So long may a call on host data take here that nobody plans: beside other devices, what they could not begin sooner.
double longest_unplanned_us(const engine& e, device_set kinds) noexcept
{
    const double longest_us = longest_on_calling_thread_us(e, kinds);
    const bool nobody_else = e.devices().cores_alone() || has_own_core(e, kinds);
    return nobody_else ? longest_us : std::min(longest_us, tuning::not_worth_a_gpu_us);
}

caller_facts caller_facts_of(const engine& e, const call& c, device_set kinds, double us)
{
    caller_facts f{.us = us, .limit_us = e.wanted.inline_limit_us};
    const unsigned cores = compute_right::cores_left(e.devices().cores());
    f.longest_led_us = longest_unplanned_us(e, kinds);
    if (has_own_core(e, kinds)) f.limit_us = f.longest_led_us;
    f.may_lead = may_lead(e, c, kinds, cores);
    if (f.may_lead) {
        const std::size_t n = evaluations(c);
        const element_costs::cost all_cores = team_cost(e.learnt.models, *c.site, n, e.devices().cores());
        f.led_us = std::max(us_of(all_cores, n), us / cores);
        f.led_is_tested = all_cores.is_tested();
    }
    return f;
}

/// Null, of a call that gives a value.
const storage* result_of(const call& c)
{
    const recipe& r = c.site->what;
    for (std::size_t k = r.slots.size(); k-- > 0;)
        if (is_written(r, k)) return c.operands[k].data;
    return c.result.data;
}

} // namespace

double longest_on_calling_thread_us(const engine& e, device_set kinds) noexcept
{
    if (has_own_core(e, kinds)) return std::numeric_limits<double>::infinity();
    return tuning::longer_with_team * e.wanted.inline_limit_us;
}

inline void caller_decision::set(const element_costs::cost& cost)
{
    cost_ = cost;
    us_ = us_of(cost, evaluations(call_));
    takes_us_ = us_;
    way_ = caller_way::alone;
    if (!cost.known() || is_for_caller_alone(us_, engine_.wanted.inline_limit_us)) return;
    const caller_facts f = caller_facts_of(engine_, call_, kinds_, us_);
    way_ = choose_for_caller(f, call_.site->core, call_.site->team);
    if (way_ == caller_way::with_all_cores) takes_us_ = f.led_us;
}

caller_decision::caller_decision(engine& e, const call& c, const request& r)
    : engine_(e), call_(c), kinds_(r.may_use.kinds), free_(r.free && !e.wanted.is_trial)
{
    if ((r.obeyed && !may_run_inline(r.obeyed)) || !kinds_.has(device::cpu) || e.wanted.inline_limit_us <= 0) return;
    set(core_cost(e.learnt.models, *c.site, evaluations(c)));
    if (way_ == caller_way::tasks) return;
    episodes_ = &e.program_episodes();
    if (episodes_->next_goes_elsewhere() && is_of_episode()) way_ = caller_way::tasks;
}

void caller_decision::learns(const element_costs::cost& cost) { set(cost); }

bool caller_decision::episode_keeps_it() { return episodes_->runs_here(call_, takes_us_); }

void caller_decision::cores_are_taken()
{
    way_ = us_ <= longest_on_calling_thread_us(engine_, kinds_) ? caller_way::alone : caller_way::tasks;
}

void caller_decision::tell_episode()
{
    if (!is_worth_an_episode()) episodes_->passes(result_of(call_), takes_us_);
    if (call_.value) engine_.order.note_wait(nullptr);
}

} // namespace skelrt::detail
