// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/jit/lanes/points.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace skelrt::detail
{

/// What is under way in a device's lanes, and which one is best for what comes next. Pure: knows no CUDA. Not
/// thread-safe.
class lane_board
{
public:
    explicit lane_board(std::size_t lanes) : lanes_(lanes) {}

    std::size_t lanes() const noexcept { return lanes_; }

    /// For a task that has to wait for these points in any case: the lane where such a point is the last, for there it
    /// waits for nothing else; of several the one with most to do. Without such a point, the lane with least to do.
    std::size_t choose(const points& before) const noexcept;
    /// Of `before`, what the lane is not behind already. It is from now on.
    points catch_up(std::size_t lane, const points& before) noexcept;
    /// A task is enqueued there: its point.
    point add(std::size_t lane, double expected_us);
    /// From now on all lanes go behind this point.
    void add_barrier(const point& p) noexcept { add_to(barrier_, p); }
    const points& barrier() const noexcept { return barrier_; }
    /// A lane's oldest point under way has been passed.
    void pass_one(std::size_t lane) noexcept;

    const points& passed() const noexcept { return passed_; }
    points newest() const noexcept;
    std::size_t under_way(std::size_t lane) const noexcept { return under_way_[lane].size(); }
    bool is_idle_but_for(std::size_t lane) const noexcept;
    /// About how long the device has to do with all of it.
    double busy_us() const noexcept;

private:
    bool is_passed(std::size_t lane, std::uint64_t number) const noexcept { return number <= passed_[lane]; }
    bool ends_with(std::size_t lane, const points& before) const noexcept;

    std::size_t lanes_;
    std::array<std::deque<double>, most_lanes> under_way_; ///< what they take, the oldest first
    std::array<double, most_lanes> busy_us_{};
    points passed_{}, barrier_{};
    std::array<points, most_lanes> behind_{}; ///< by lane: what it waits for already
};

} // namespace skelrt::detail
