// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/steps.hpp"

#include <cstddef>

/// How many steps of an iterated stencil one exchange between ranks should serve. Pure.
namespace skelrt::detail
{

/// What a rank knows of one exchange, and of the lines that it computes.
struct halo_costs {
    double message_us = -1; ///< a message of no bytes, and its tasks; negative: nobody has measured it
    double line_us = 0;     ///< one line, one step
    unsigned reach = 1;     ///< lines that a step looks to one side
};

/// The number for which a step takes least: so many steps share the messages' latency, and each computes lines beside
/// the part once more, for its neighbours' sake. 1 where nobody knows what messages take.
unsigned best_steps(const halo_costs& costs, unsigned most) noexcept;

/// So many that a step computes an eighth of the shortest part twice at most: passes over memory cost little more.
unsigned steps_for_caches(std::size_t shortest, unsigned reach) noexcept;

/// What both come to for an exchange of ranks of which the shortest part has so many lines.
depth_of_exchange depth_for(const halo_costs& costs, std::size_t shortest) noexcept;

/// So many that lines come from the next ranks alone, if the shortest part has this many lines.
unsigned most_steps(std::size_t shortest, unsigned reach, unsigned wanted) noexcept;

} // namespace skelrt::detail
