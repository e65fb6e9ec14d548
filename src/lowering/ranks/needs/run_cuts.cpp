// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/run_cuts.hpp"

#include <algorithm>
#include <numeric>

namespace skelrt::detail
{

namespace
{

std::size_t sum(const std::vector<std::size_t>& all) { return std::accumulate(all.begin(), all.end(), std::size_t{0}); }

} // namespace

run_cuts::run_cuts(const std::vector<std::size_t>& counts, std::size_t in_front)
    : least_(counts.size(), 0), most_(counts), in_front_(in_front)
{
    settle();
}

void run_cuts::settle()
{
    if (sum(least_) >= in_front_) most_ = least_;
    else if (sum(most_) <= in_front_) least_ = most_;
}

bool run_cuts::found() const noexcept { return least_ == most_; }

run_item run_cuts::pivot() const noexcept
{
    std::size_t widest = 0;
    for (std::size_t r = 1; r < least_.size(); ++r)
        if (most_[r] - least_[r] > most_[widest] - least_[widest]) widest = r;
    return {widest, least_[widest] + (most_[widest] - least_[widest]) / 2};
}

void run_cuts::take(const std::vector<std::size_t>& before)
{
    const run_item at = pivot();
    const bool is_in_front = sum(before) < in_front_;
    for (std::size_t r = 0; r < before.size(); ++r) {
        const std::size_t behind = r == at.rank ? at.number + is_in_front : before[r];
        (is_in_front ? least_ : most_)[r] = std::clamp(behind, least_[r], most_[r]);
    }
    settle();
}

} // namespace skelrt::detail
