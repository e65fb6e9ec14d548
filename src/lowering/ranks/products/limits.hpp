// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/network/network.hpp"

#include <cstddef>
#include <optional>

namespace skelrt::detail
{

class peers;
struct machine;

/// What all ranks know of each other since the start, and decide by.
struct rank_limits {
    double least_memory = 0;             ///< bytes, of the rank with the least: its part of the node's, or a GPU's
    std::optional<message_cost> network; ///< rank 0's; none: it has not measured it
};

/// All ranks call it when they start. `memory`: bytes that this one has.
rank_limits agree_on_limits(peers& others, double memory, const machine& here);

} // namespace skelrt::detail
