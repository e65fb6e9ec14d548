// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// An item of the sorted run of a rank.
struct run_item {
    std::size_t rank = 0, number = 0;
};

/// Where sorted runs, one a rank, are cut so that so many items lie in front. The items' order is total: of equal ones
/// those of the first rank come first. Pure: it names a pivot, is told how many items of each run lie in front of it,
/// and keeps bounds of each run's cut. Ends after O(ranks log items) pivots, fewer where runs are alike; also where the
/// answers are of no order, with cuts within the runs.
class run_cuts
{
public:
    run_cuts(const std::vector<std::size_t>& counts, std::size_t in_front);

    bool found() const noexcept;
    /// Not if found(): the middle of the widest bounds.
    run_item pivot() const noexcept;
    /// Items of each run in front of the pivot.
    void take(const std::vector<std::size_t>& before);
    /// If found(): so many items of each run lie in front.
    std::vector<std::size_t> cuts() const { return least_; }

private:
    void settle();

    std::vector<std::size_t> least_, most_;
    std::size_t in_front_;
};

} // namespace skelrt::detail
