// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/choices.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

bool competes(const one_task& t, const decision& d) noexcept { return t.where == device::cpu && d.targets.size() > 1; }

/// Whether it could join others if the calling thread did not do it.
bool is_short_on_cores(const one_task& t) noexcept { return t.us < tuning::short_on_cores_us; }

bool may_compute_here(const one_task& t, const call_surroundings& around) noexcept
{
    constexpr std::uint32_t this_call = 1;
    return around.caller_is_free && t.plain && t.where == device::cpu && around.in_flight == this_call;
}

bool may_join_batch(const one_task& t) noexcept
{
    if (!t.checked) return false; // the first run of a recipe on a kind of device, which is checked, goes alone
    if (t.held) return true;
    if (t.told || !t.plain || t.where == device::opencl || !t.all_there) return false;
    if (t.where == device::cuda) return t.may_end_early && t.us < tuning::short_on_gpu_us;
    return t.maps_scalars || (is_short_on_cores(t) && t.measured);
}

} // namespace

caller_way choose_for_caller(const caller_facts& f, element_costs& core, element_costs& team) noexcept
{
    using enum caller_way;
    if (is_for_caller_alone(f.us, f.limit_us)) return alone;
    if (!f.may_lead) return f.us <= f.limit_us || core.is_worth_a_try(f.us - f.limit_us, f.limit_us) ? alone : tasks;
    if (f.us <= f.limit_us && !f.led_is_tested)
        return team.is_worth_a_try(tuning::team_wakes_us, f.us) ? with_all_cores : alone;
    const double longest = std::max(f.longest_led_us, f.limit_us);
    if (std::min(f.us, f.led_us) > longest)
        return team.is_worth_a_try(f.led_us - longest, longest) ? with_all_cores : tasks;
    if (f.led_us < f.us) return core.is_worth_a_try(f.us - f.led_us, f.led_us) ? alone : with_all_cores;
    return team.is_worth_a_try(f.led_us - f.us, f.us) ? with_all_cores : alone;
}

bool is_sooner_alone(std::span<const double> us, double split_us) noexcept
{
    constexpr double worthwhile = 0.97; // of the best one's time, as of a split's
    double rate = 0;
    for (const double one : us) rate += 1 / one;
    return us.size() == 1 || worthwhile * std::ranges::min(us) <= 1 / rate + split_us;
}

carrier carrier_of(const one_task& t, const call_surroundings& around) noexcept
{
    if (may_compute_here(t, around)) {
        if (t.own_core && around.caller_has_core) return carrier::own_core;
        if (t.us <= around.longest_led_us) return carrier::caller;
    }
    return around.batches && may_join_batch(t) ? carrier::batch : carrier::tasks;
}

bool is_worth_holding(const one_task& t, carrier by, const decision& d, unsigned device, std::size_t elements) noexcept
{
    if (by == carrier::tasks || (by != carrier::batch && !is_short_on_cores(t))) return false;
    if (t.held || d.guesses) return false;
    if (t.maps_scalars) return true;
    const double us = us_of(d.costs[device], elements);
    const auto faster = [&](const schedulers::worker_cost& c) { return us_of(c, elements) < us; };
    return !(competes(t, d) && t.follows) && std::ranges::none_of(d.costs, faster);
}

bool holds_for_single_calls(const one_task& t, const decision& d) noexcept { return competes(t, d) && !t.maps_scalars; }

cut_rule cut_by(const cut_facts& f) noexcept
{
    const bool told = f.shares > 0;
    if ((f.for_one_device && !(told && f.scan)) || f.shares == 1) return cut_rule::sizes;
    if (!told) return cut_rule::models;
    return f.free ? cut_rule::split : cut_rule::shares;
}

} // namespace skelrt::detail
