// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// Which part of the copy of each tile to each memory node is paid for already, by time that calls lost because the
/// tile was not there: the ski-rental rule. Once all is paid the copy counts as free, and the tile moves. Calls that go
/// on as they did then cost at most twice what knowing the future would have cost: the time lost until the move is less
/// than the copy. (Karlin, Manasse, Rudolph, Sleator: Competitive snoopy caching, 1988.) Pure.
class residency
{
public:
    /// In steps, so that tiles that went the same way cost the same.
    double paid(std::size_t tile, unsigned node) const
    {
        constexpr double steps = 64;
        return std::floor(exactly(tile, node) * steps) / steps;
    }
    void pay(std::size_t tile, unsigned node, double part) { set(tile, node, exactly(tile, node) + part); }
    /// It moved, or the host made it anew: what was lost before is no reason any more to move it elsewhere.
    void forget(std::size_t tile)
    {
        for (std::size_t i = tile * nodes; i < std::min(parts_.size(), (tile + 1) * nodes); ++i) parts_[i] = 0;
    }
    /// Results stand where their operands stood: what was lost for want of those would be lost for want of these.
    void inherit(std::size_t tile, unsigned node, double part)
    {
        if (part > exactly(tile, node)) set(tile, node, part);
    }

private:
    static constexpr std::size_t nodes = 16; // the last stands for all others

    static std::size_t at(std::size_t tile, unsigned node)
    {
        return tile * nodes + std::min<std::size_t>(node, nodes - 1);
    }
    double exactly(std::size_t tile, unsigned node) const
    {
        const std::size_t i = at(tile, node);
        return i < parts_.size() ? parts_[i] : 0;
    }
    void set(std::size_t tile, unsigned node, double part)
    {
        const std::size_t i = at(tile, node);
        if (i >= parts_.size()) parts_.resize((tile + 1) * nodes, 0);
        parts_[i] = std::min(1.0, part);
    }

    std::vector<double> parts_; ///< empty as long as nothing was lost
};

} // namespace skelrt::detail
