// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/network/rank_clocks.hpp"
#include "src/lowering/replay/recording.hpp"

#include <functional>

namespace skelrt::detail
{

/// What a share takes: `task_us` before it does anything, then so much for each evaluation.
struct share_cost {
    double task_us = 0, evaluation_us = 0;
    double us(double evaluations) const noexcept { return task_us + evaluation_us * evaluations; }
};
using cost_of_share = std::function<share_cost(double evaluations)>;

/// What so many ranks do of a call, as src/lowering/ranks has them do it today, and what they say to each other: the
/// same needs, asked for each rank. Throws error for what ranks refuse. O(ranks^2 + messages). `network`: for whether
/// edges go first, which they do not where nobody has measured it.
call_phases phases_of(const recording& r, const recorded_call& c, unsigned ranks, const cost_of_share& cost,
                      const network_peaks& network = {});

} // namespace skelrt::detail
