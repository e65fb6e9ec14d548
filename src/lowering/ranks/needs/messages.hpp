// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/network/network.hpp"
#include "src/lowering/ranks/needs/exchange.hpp"
#include "src/lowering/ranks/needs/passage.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// What a rank sends, or gets. Pieces that are several messages, because they are long, count as one.
std::vector<message> messages_from(unsigned rank, const exchange& x, std::size_t element_size);
std::vector<message> messages_from(unsigned rank, const passage& x, std::size_t element_size);
std::vector<message> messages_to(unsigned rank, const exchange& x, std::size_t element_size);
std::vector<message> messages_to(unsigned rank, const passage& x, std::size_t element_size);

/// What one of so many ranks sends and gets, and how long by the network's parameters, for the log.
std::string describe_messages(unsigned ranks, std::vector<message> out, const std::vector<message>& in,
                              const network_peaks& n);

} // namespace skelrt::detail
