// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/model.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>

/// What calls cost that no task does: call sites keep copies of the models' curves, timed calls correct both.
namespace skelrt::detail
{

/// What so many elements take.
inline double us_of(const element_costs::cost& c, std::size_t elements) noexcept
{
    return c.ns * 1e-3 * static_cast<double>(elements);
}

element_costs::cost look_up_core_cost(const models& known, call_site& site, std::size_t elements);
/// What an element of the call costs the calling thread; unknown if no run tells of so many.
inline element_costs::cost core_cost(const models& known, call_site& site, std::size_t elements)
{
    const element_costs::cost copy = site.core.of(elements);
    return copy.is_looked_up() ? copy : look_up_core_cost(known, site, elements);
}
/// What it costs all cores, a guess at first.
element_costs::cost team_cost(const models& known, call_site& site, std::size_t elements, unsigned cores);

/// A call of `elements` took `us`.
void learn_from(models& known, const recipe& r, element_costs& copy, executor on, std::size_t elements, double us);

} // namespace skelrt::detail
