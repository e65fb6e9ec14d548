// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/parting.hpp"

#include <functional>
#include <vector>

/// Which elements of a container travel between ranks. Pure: both ends of a message compute it, nobody asks.
namespace skelrt::detail
{

/// Elements of the whole container that one other rank sends, or gets.
struct rank_piece {
    unsigned rank = 0;
    position_run elements;
    friend bool operator==(const rank_piece&, const rank_piece&) = default;
};

/// A rank's messages of one operand, in the order of the ranks, and of the elements between two ranks.
struct exchange {
    std::vector<rank_piece> in, out;
    std::size_t unit = 1; ///< so many elements stay together in one message
    friend bool operator==(const exchange&, const exchange&) = default;
};

/// What a rank holds: one run of elements.
using held_elements = std::function<position_run(unsigned rank)>;
/// What a rank wants: runs of elements in ascending order, none twice.
using wanted_elements = std::function<std::vector<position_run>(unsigned rank)>;

/// What a rank wants and does not hold comes from who does. O(ranks), and what they want.
exchange exchange_of(unsigned ranks, const held_elements& held, const wanted_elements& wanted, unsigned rank);

/// These runs as wanted_elements are: sorted, without those of no elements, and without what two of them share.
std::vector<position_run> ascending(std::vector<position_run> runs);

} // namespace skelrt::detail
