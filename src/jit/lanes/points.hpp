// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace skelrt::detail
{

/// A GPU's streams for kernels are its lanes. What a task enqueues in one is followed by a point; the points of a lane
/// are numbered from 1, and are passed in this order.
constexpr std::size_t most_lanes = 8;

struct point {
    std::size_t lane;
    std::uint64_t number;
};

/// Of each lane the last point that something has to wait for; 0: none.
using points = std::array<std::uint64_t, most_lanes>;

inline void add_to(points& all, const point& p) noexcept
{
    if (all[p.lane] < p.number) all[p.lane] = p.number;
}
inline void add_to(points& all, const points& others) noexcept
{
    for (std::size_t lane = 0; lane < most_lanes; ++lane) add_to(all, point{lane, others[lane]});
}

} // namespace skelrt::detail
