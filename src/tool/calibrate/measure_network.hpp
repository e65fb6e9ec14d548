// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/model/machine/network.hpp"

#include <vector>

namespace skelrt::tool
{

/// What the network between rank 0 and the first rank of another node does, or the next rank where all are on one node.
struct network_times {
    int other = 1;
    double value_us = 0, us_in_a_row = 0, copied_bytes_per_us = 0;
    std::vector<detail::timed_message> messages;
};
/// All ranks come here; there are two or more. The times are rank 0's.
network_times measure_network(detail::engine& e);

} // namespace skelrt::tool
