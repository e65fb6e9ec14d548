// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/limits.hpp"

#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/model/machine/machine.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace skelrt::detail
{

rank_limits agree_on_limits(peers& others, double memory, const machine& here)
{
    struct known {
        double memory;
        double has_network;
        message_cost network;
    };
    const bool measured = here.network.message_us.value > 0;
    const known mine{memory, measured ? 1.0 : 0.0, measured ? cost_of_messages(here.network) : message_cost{}};
    const std::vector<known> all = gather_values(others, std::span<const known>(&mine, 1));
    rank_limits limits{std::ranges::min_element(all, {}, &known::memory)->memory, {}};
    if (all[0].has_network > 0) limits.network = all[0].network;
    return limits;
}

} // namespace skelrt::detail
