// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/groups.hpp"

#include "src/lowering/decide/tuning.hpp"
#include "src/lowering/plan/cost.hpp"
#include "src/lowering/plan/planner.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

std::vector<plan_group> by_guesses(const surveyed_call& c, unsigned cores)
{
    constexpr double hopeless = 1e6;
    std::vector<plan_device> others = c.devices;
    others[cores].fixed_us *= hopeless, others[cores].element_us *= hopeless;
    const std::vector<plan_group> by_others = make_plan(others, c.data, c.rules),
                                  by_cores{{cores, 0, c.data.elements.size()}};
    const plan_cost cost(c.devices, c.data, c.rules);
    const double enough = c.at_home ? tuning::much_by_guesses : 1;
    return cost.likely(by_others) <= enough * cost.likely(by_cores) ? by_others : by_cores;
}

} // namespace

std::vector<plan_group> groups_by_models(const surveyed_call& c)
{
    const auto team = std::ranges::find_if(c.devices, &plan_device::team);
    if (!c.guesses || !c.needs_copies || team == c.devices.end()) return make_plan(c.devices, c.data, c.rules);
    return by_guesses(c, static_cast<unsigned>(team - c.devices.begin()));
}

unsigned where_scalars_are(std::span<const std::size_t> scalars) noexcept
{
    unsigned best = 0;
    for (unsigned d = 1; d < scalars.size(); ++d)
        if (scalars[d] >= std::max<std::size_t>(scalars[best], 1)) best = d;
    return best;
}

std::vector<plan_group> one_group_each(std::size_t segments)
{
    std::vector<plan_group> groups;
    for (std::size_t s = 0; s < segments; ++s) groups.push_back({0, s, 1});
    return groups;
}

} // namespace skelrt::detail
