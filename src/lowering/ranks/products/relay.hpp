// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/needs/passage.hpp"

#include <vector>

/// How elements that several ranks want get to all of them. Pure: all ranks on the way compute it, nobody asks.
namespace skelrt::detail
{

/// Ranks, in ascending order, that want the same elements.
struct relay_group {
    std::vector<unsigned> members;
    element_grid wanted;
};

/// A message that a rank gives to the next, and what comes to it: elements of one owner, for one group.
struct relayed_message {
    static constexpr unsigned nobody = ~0u;
    unsigned owner = 0;
    unsigned from = nobody, next = nobody;
    std::size_t count = 0;
    position_runs held{}; ///< of what this rank holds, if it is the owner
    friend bool operator==(const relayed_message&, const relayed_message&) = default;
};

/// A rank's messages of one container in the order in which it sends and gets them, which is that of the owners:
/// between two ranks both know the same. And what is made of those that come.
struct relay {
    std::vector<relayed_message> messages;
    std::vector<passage::piece> pieces; ///< empty: the rank is of no group
};

/// What a group wants of an owner goes from member to member, once each: whoever gets it hands it on. It begins with
/// the member behind the owner, so that owners of one group do not all send to the same. No two groups share a rank,
/// and no two ranks hold the same element. `held`: of each rank. O(ranks + groups), and what is listed.
relay relay_of(unsigned ranks, const grid_of_rank& held, const std::vector<relay_group>& groups, unsigned rank);

} // namespace skelrt::detail
