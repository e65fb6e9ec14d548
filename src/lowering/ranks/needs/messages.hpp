#pragma once

#include "src/cluster/network/network.hpp"
#include "src/lowering/ranks/needs/exchange.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// What a rank sends, or gets, in an exchange. Pieces that are several messages, because they are long, count as one.
std::vector<message> messages_from(unsigned rank, const exchange& x, std::size_t element_size);
std::vector<message> messages_to(unsigned rank, const exchange& x, std::size_t element_size);

/// What a rank of so many has to do with an exchange, and how long by the network's parameters, for the log.
std::string describe_exchange(unsigned rank, unsigned ranks, const exchange& x, std::size_t element_size,
                              const network_peaks& n);

} // namespace skelrt::detail
