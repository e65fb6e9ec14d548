// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/element_grid.hpp"
#include "src/lowering/ranks/needs/pieces.hpp"

#include <functional>
#include <vector>

/// How elements get from where they lie to where they are wanted. Pure: both ends of a message compute it, nobody asks.
namespace skelrt::detail
{

/// To another rank: these elements of what this rank holds, in the order of the message.
struct outgoing_elements {
    unsigned rank = 0;
    position_runs held;
};

/// From another rank: so many elements.
struct incoming_elements {
    unsigned rank = 0;
    std::size_t count = 0;
};

/// A rank's messages of one container, one for each other rank, and what is made of them.
struct passage {
    using piece = element_piece;
    static constexpr std::size_t own = piece::own;
    std::vector<outgoing_elements> out;
    std::vector<incoming_elements> in;
    std::vector<piece> pieces;
};

/// A rank's rows and columns of a container, as it holds or wants them.
using grid_of_rank = std::function<element_grid(unsigned rank)>;

/// Of ranks no two hold the same element, and all that is wanted is held. O(ranks times runs), and what is listed.
passage passage_of(unsigned ranks, const grid_of_rank& held, const grid_of_rank& wanted, unsigned rank);
/// Where this rank holds all that it wants, and so do others.
passage passage_here(const element_grid& held, const element_grid& wanted);

} // namespace skelrt::detail
