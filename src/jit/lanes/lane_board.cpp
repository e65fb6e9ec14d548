// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/lanes/lane_board.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skelrt::detail
{

/// Whether the last that the lane has to do is among what is waited for.
bool lane_board::ends_with(std::size_t lane, const points& before) const noexcept
{
    return !under_way_[lane].empty() && before[lane] == passed_[lane] + under_way_[lane].size();
}

std::size_t lane_board::choose(const points& before) const noexcept
{
    const auto has_more = [&](std::size_t a, std::size_t b) { return busy_us_[a] > busy_us_[b]; };
    std::size_t best = lanes_;
    for (std::size_t lane = 0; lane < lanes_; ++lane)
        if (ends_with(lane, before) && (best == lanes_ || has_more(lane, best))) best = lane;
    if (best < lanes_) return best;
    best = 0;
    for (std::size_t lane = 1; lane < lanes_; ++lane)
        if (has_more(best, lane)) best = lane;
    return best;
}

points lane_board::catch_up(std::size_t lane, const points& before) noexcept
{
    points missing{};
    for (std::size_t other = 0; other < most_lanes; ++other) {
        if (other == lane || before[other] <= behind_[lane][other]) continue;
        behind_[lane][other] = before[other];
        if (!is_passed(other, before[other])) missing[other] = before[other];
    }
    return missing;
}

point lane_board::add(std::size_t lane, double expected_us)
{
    constexpr double least_us = 1; // of what nobody knows
    const double us = std::isnan(expected_us) ? least_us : std::max(expected_us, least_us);
    under_way_[lane].push_back(us);
    busy_us_[lane] += us;
    return {lane, passed_[lane] + under_way_[lane].size()};
}

void lane_board::pass_one(std::size_t lane) noexcept
{
    busy_us_[lane] -= under_way_[lane].front();
    under_way_[lane].pop_front();
    if (under_way_[lane].empty()) busy_us_[lane] = 0;
    ++passed_[lane];
}

points lane_board::newest() const noexcept
{
    points all = passed_;
    for (std::size_t lane = 0; lane < most_lanes; ++lane) all[lane] += under_way_[lane].size();
    return all;
}

bool lane_board::is_idle_but_for(std::size_t lane) const noexcept
{
    for (std::size_t other = 0; other < most_lanes; ++other)
        if (other != lane && !under_way_[other].empty()) return false;
    return true;
}

double lane_board::busy_us() const noexcept { return std::accumulate(busy_us_.begin(), busy_us_.end(), 0.0); }

} // namespace skelrt::detail
