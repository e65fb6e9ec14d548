#pragma once

#include "src/cluster/network/rank_clocks.hpp"
#include "src/lowering/replay/recording.hpp"

#include <functional>

namespace skelrt::detail
{

/// Microseconds that a share of so many evaluations takes.
using share_time = std::function<double(double evaluations)>;

/// What so many ranks do of a call, as src/lowering/ranks has them do it today, and what they say to each other: the
/// same needs, asked for each rank. Throws error for what ranks refuse. O(ranks^2 + messages).
call_phases phases_of(const recording& r, const recorded_call& c, unsigned ranks, const share_time& time);

} // namespace skelrt::detail
