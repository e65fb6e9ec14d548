// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

#include <cstddef>

/// Whether a rank computes the lines at the ends of its share of a stencil before the others, which it then computes
/// while messages are under way. Pure, and a rank's own: no message changes with it.
namespace skelrt::detail
{

/// Whether lines of others stand in front of a share of a stencil, and behind it.
struct share_sides {
    bool front = false, back = false;
};
share_sides sides_with_others(const call& share) noexcept;

/// Of a share of a stencil that others have lines beside.
struct share_with_edges {
    std::size_t lines = 0;
    unsigned edges = 0;     ///< sides with others' lines, 0 to 2
    std::size_t deep = 0;   ///< lines that come to a side, at most, and that leave it
    std::size_t bytes = 0;  ///< of these
    double message_us = -1; ///< until they are here; negative: nobody has measured that
    double task_us = 0;     ///< before a task does anything
    double work_us = 0;     ///< of all lines
};
/// All of it that the share's call tells. Of other calls: without edges.
share_with_edges edges_of(const call& share);

/// Lines that go first if its grids have so many tiles.
std::size_t edge_lines(const share_with_edges& s, std::size_t tiles) noexcept;
/// What more tasks and handles cost then.
double edges_cost_us(const share_with_edges& s, std::size_t tiles) noexcept;
/// What the share ends sooner by if `first_lines` of its lines go first, and its grids have so many tiles; negative:
/// later.
double gain_of_edges_us(const share_with_edges& s, std::size_t first_lines, std::size_t tiles) noexcept;
/// Whether so much is worth another order of the tasks.
bool is_worth_edges(const share_with_edges& s, double gain_us) noexcept;

/// In so many tiles its grids should be cut, of which one at each edge goes first; 0: all lines are one task's.
std::size_t tiles_for_edges(const share_with_edges& s) noexcept;

} // namespace skelrt::detail
