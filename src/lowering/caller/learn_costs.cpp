// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/caller/learn_costs.hpp"

namespace skelrt::detail
{

namespace
{

double per_element_ns(double us, std::size_t elements) { return us * 1e3 / static_cast<double>(elements); }

} // namespace

element_costs::cost look_up_core_cost(const models& known, call_site& site, std::size_t elements)
{
    const double us = known.measured_us(site.what, executor::core, elements).value_or(0);
    site.core.set(elements, per_element_ns(us, elements));
    return site.core.of(elements);
}

element_costs::cost team_cost(const models& known, call_site& site, std::size_t elements, unsigned cores)
{
    const element_costs::cost copy = site.team.of(elements);
    if (copy.known()) return copy;
    const double us = known.predict(site.what, executor::team, elements, site.core.near(elements), cores).at(elements);
    site.team.set(elements, per_element_ns(us, elements));
    return site.team.of(elements);
}

void learn_from(models& known, const recipe& r, element_costs& copy, executor on, std::size_t elements, double us)
{
    const auto lesson = copy.note(elements, per_element_ns(us, elements));
    if (lesson == element_costs::lesson::confirmed) {
        if (on == executor::team) known.observe_team(r, elements, us);
        else known.observe(r, on, elements, us);
    }
    if (lesson == element_costs::lesson::corrected)
        known.correct(r, on, elements, copy.of(elements).ns * 1e-3 * static_cast<double>(elements));
}

} // namespace skelrt::detail
