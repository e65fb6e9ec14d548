// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/steps/deep_halos.hpp"

#include <algorithm>
#include <cmath>

namespace skelrt::detail
{

/// k steps take m + k (k - 1) r l more than those of one rank alone: a step m / k + (k - 1) r l.
unsigned best_steps(const halo_costs& costs, unsigned most) noexcept
{
    if (costs.message_us <= 0) return 1;
    const double line_us = costs.reach * costs.line_us;
    const double best = line_us > 0 ? std::sqrt(costs.message_us / line_us) : most;
    return static_cast<unsigned>(std::clamp(best, 1.0, static_cast<double>(most)));
}

unsigned steps_for_caches(std::size_t shortest, unsigned reach) noexcept
{
    return static_cast<unsigned>(1 + shortest / (std::size_t{8} * reach));
}

depth_of_exchange depth_for(const halo_costs& costs, std::size_t shortest) noexcept
{
    return {best_steps(costs, deepest_pass), steps_for_caches(shortest, costs.reach)};
}

unsigned most_steps(std::size_t shortest, unsigned reach, unsigned wanted) noexcept
{
    return static_cast<unsigned>(std::clamp<std::size_t>(shortest / reach, 1, wanted));
}

} // namespace skelrt::detail
