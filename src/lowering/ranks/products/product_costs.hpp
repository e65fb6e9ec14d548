// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/network/network.hpp"

#include <cstddef>
#include <optional>

/// Whether a product brings its right side to every rank, or travels by panels. Pure: all ranks find the same answer.
namespace skelrt::detail
{

/// A product over ranks, in bytes of its matrices, and in ranks: `rows` x `cols` of them hold the result.
struct product_sizes {
    double left = 0, right = 0, result = 0;
    unsigned rows = 1, cols = 1;
    std::size_t panels = 1;
    bool in_lines = true;    ///< all matrices lie in blocks of rows, or on every rank
    double least_memory = 0; ///< bytes that the rank with the least has
};

/// What the busiest rank sends, or gets.
struct rank_traffic {
    double messages = 0, bytes = 0;
};
rank_traffic traffic_of_copies(const product_sizes& s) noexcept;
rank_traffic traffic_of_panels(const product_sizes& s) noexcept;

/// Panels where the right side takes an eighth of the least memory, and for matrices in grids that take less of the
/// network so: its bytes, where nobody has measured it, then its messages. In blocks of rows both bring as many bytes,
/// and copies stay for later calls.
bool is_for_panels(const product_sizes& s, const std::optional<message_cost>& network) noexcept;

} // namespace skelrt::detail
