// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/relay.hpp"

#include "src/lowering/ranks/needs/pieces.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// A group's members on the way of one owner's elements.
class chain
{
public:
    chain(const std::vector<unsigned>& members, unsigned owner) : members_(members), owner_(owner)
    {
        const auto behind = std::ranges::upper_bound(members, owner);
        first_ = static_cast<std::size_t>(behind - members.begin()) % members.size();
        length_ = members.size() - std::ranges::binary_search(members, owner);
    }

    unsigned first() const { return length_ > 0 ? at(0) : relayed_message::nobody; }
    /// The ranks around a member that is not the owner.
    unsigned before(unsigned member) const { return place(member) > 0 ? at(place(member) - 1) : owner_; }
    unsigned behind(unsigned member) const
    {
        return place(member) + 1 < length_ ? at(place(member) + 1) : relayed_message::nobody;
    }

private:
    /// The owner, if it is a member, is the last one.
    unsigned at(std::size_t place) const { return members_[(first_ + place) % members_.size()]; }
    std::size_t place(unsigned member) const
    {
        const auto number = static_cast<std::size_t>(std::ranges::lower_bound(members_, member) - members_.begin());
        return (number + members_.size() - first_) % members_.size();
    }

    const std::vector<unsigned>& members_;
    unsigned owner_;
    std::size_t first_, length_;
};

/// What begins its way here.
void add_own(relay& to, const element_grid& held, const std::vector<relay_group>& groups, unsigned rank)
{
    for (const relay_group& g : groups) {
        const unsigned first = chain(g.members, rank).first();
        if (first == relayed_message::nobody) continue;
        const std::vector<numbered_run> shared = common_elements(held, g.wanted);
        if (shared.empty()) continue;
        relayed_message m{rank, relayed_message::nobody, first};
        for (const numbered_run& r : shared) m.held.push_back({r.in_one, r.count});
        m.count = count_of(m.held);
        to.messages.push_back(std::move(m));
    }
}

} // namespace

relay relay_of(unsigned ranks, const grid_of_rank& held, const std::vector<relay_group>& groups, unsigned rank)
{
    relay x;
    const auto has_it = [&](const relay_group& g) { return std::ranges::binary_search(g.members, rank); };
    const auto mine = std::ranges::find_if(groups, has_it);
    std::vector<placed_piece> pieces;
    for (unsigned owner = 0; owner < ranks; ++owner) {
        const element_grid there = held(owner);
        if (owner == rank) {
            add_own(x, there, groups, rank);
            if (mine != groups.end()) add_pieces(pieces, passage::own, common_elements(there, mine->wanted));
        } else if (mine != groups.end()) {
            const std::vector<numbered_run> shared = common_elements(there, mine->wanted);
            if (shared.empty()) continue;
            const chain way(mine->members, owner);
            const std::size_t count = add_pieces(pieces, x.messages.size(), shared);
            x.messages.push_back({owner, way.before(rank), way.behind(rank), count});
        }
    }
    x.pieces = ascending(std::move(pieces));
    return x;
}

} // namespace skelrt::detail
