#pragma once

#include "schedulers/hint.hpp"
#include "src/lowering/plan_input.hpp"

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// What the planner made of a call.
struct planned_call {
    std::vector<plan_group> groups;
    std::vector<schedulers::worker_cost> costs; ///< of each target, so far as is known
    std::vector<double> missing;                ///< what the plan was made from: [segment * targets + target], bytes
    bool chained = false;                       ///< other calls work on the data before or after: it stays where it is
    bool guesses = false;                       ///< some cost is no measured one
    std::size_t targets = 0;

    /// Bytes of the first segments that a target has not.
    double missing_on(std::size_t target, std::size_t segments) const noexcept
    {
        double bytes = 0;
        for (std::size_t s = 0; s < segments; ++s) bytes += missing[s * targets + target];
        return bytes;
    }
};

} // namespace skelrt::detail
