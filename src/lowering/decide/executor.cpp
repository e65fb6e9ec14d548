#include "src/lowering/decide/executor.hpp"

#include "src/lowering/decide/tuning.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

bool competes(const one_task& t, const decision& d) noexcept { return t.where == device::cpu && d.targets.size() > 1; }

} // namespace

bool is_short_on_cores(const one_task& t) noexcept { return t.us < tuning::short_on_cores_us; }

bool may_lead_cores(const one_task& t, const call_surroundings& around) noexcept
{
    constexpr std::uint32_t this_call = 1;
    if (!t.plain || t.where != device::cpu) return false;
    if (around.row > tuning::many_in_a_row || around.last_row > tuning::many_in_a_row) return false;
    return t.us <= around.longest_led_us && around.in_flight == this_call;
}

bool may_join_batch(const one_task& t) noexcept
{
    if (!t.checked) return false; // the first run of a recipe on a kind of device, which is checked, goes alone
    if (t.held) return true;
    if (t.told || !t.plain || t.where == device::opencl || !t.all_there) return false;
    if (t.where == device::cuda) return t.may_end_early && t.us < tuning::short_on_gpu_us;
    return t.maps_scalars || (is_short_on_cores(t) && t.measured);
}

bool is_worth_holding(const one_task& t, const decision& d, unsigned device, std::size_t elements) noexcept
{
    if (t.held || d.guesses) return false;
    if (t.maps_scalars) return true;
    const auto us_of = [&](const schedulers::worker_cost& c) {
        return c.fixed_us + c.element_us * static_cast<double>(elements);
    };
    const double us = us_of(d.costs[device]);
    const auto faster = [&](const schedulers::worker_cost& c) { return us_of(c) < us; };
    return !(competes(t, d) && t.follows) && std::ranges::none_of(d.costs, faster);
}

bool holds_for_single_calls(const one_task& t, const decision& d) noexcept { return competes(t, d) && !t.maps_scalars; }

} // namespace skelrt::detail
