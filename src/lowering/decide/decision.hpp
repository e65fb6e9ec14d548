#pragma once

#include "schedulers/hint.hpp"
#include "src/lowering/plan/input.hpp"
#include "src/runtime/devices.hpp"

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// Where and how a call is done.
struct decision {
    std::vector<const target*> targets;          ///< that could do it
    std::vector<plan_group> groups;              ///< which of them does what
    std::vector<schedulers::worker_cost> costs;  ///< of each target, so far as is known
    std::vector<schedulers::worker_cost> takers; ///< who may take over groups
    std::vector<double> missing;                 ///< what it was made from: [segment * targets + target], bytes
    double promised_us = 0;                      ///< by the models; 0: nothing was
    bool chained = false;                        ///< other calls work on the data before or after: it stays where it is
    bool guesses = false;                        ///< some cost is no measured one
    bool may_end_early = false;                  ///< of one task: it may end before its kernels do
    bool of_single_calls = false;                ///< it holds for those that the host waits for before and after

    /// Bytes of the first segments that a target has not.
    double missing_on(std::size_t target, std::size_t segments) const noexcept
    {
        double bytes = 0;
        for (std::size_t s = 0; s < segments; ++s) bytes += missing[s * targets.size() + target];
        return bytes;
    }
};

/// Devices do the same but for a segment, or a sixteenth of the call.
bool are_alike(const decision& a, const decision& b);

} // namespace skelrt::detail
