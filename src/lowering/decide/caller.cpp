#include "src/lowering/decide/caller.hpp"

#include <algorithm>

namespace skelrt::detail
{

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

} // namespace skelrt::detail
