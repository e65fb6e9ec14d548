// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/steps/edges_apart.hpp"

#include "src/lowering/place/halo.hpp"
#include "src/model/times/handle_cost.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

constexpr double worthwhile = 0.05;    ///< of the time that share and message take one after the other
constexpr std::size_t most_tiles = 16; ///< more would make edges hardly shorter, and cost a handle each

/// The lines that one tile of so many has, but for the last.
std::size_t lines_of_tile(const share_with_edges& s, std::size_t tiles) { return (s.lines + tiles - 1) / tiles; }

} // namespace

share_sides sides_with_others(const call& share) noexcept
{
    const std::size_t lines = share.matrix ? share.rows : share.cols;
    const stencil_shape& s = share.site->what.stencil;
    if (share.site->what.kind != skeleton::stencil || lines == 0 || lines == share.whole_lines) return {};
    if (share.part.given()) return {}; // its first lines may reach lines that this rank holds
    const line_reach reach = reach_in_lines(s, share.matrix);
    const bool cyclic = s.border == border_rule::cyclic;
    return {reach.before > 0 && (cyclic || share.first_line > 0),
            reach.after > 0 && (cyclic || share.first_line + lines < share.whole_lines)};
}

share_with_edges edges_of(const call& share)
{
    const recipe& what = share.site->what;
    const share_sides sides = sides_with_others(share);
    share_with_edges s;
    s.lines = share.matrix ? share.rows : share.cols;
    s.edges = (sides.front ? 1 : 0) + (sides.back ? 1 : 0);
    if (s.edges == 0) return s;
    const line_reach reach = reach_in_lines(what.stencil, share.matrix);
    s.deep = share.steps * std::max(reach.before, reach.after);
    for (std::size_t k = 0; k < what.slots.size(); ++k)
        if (has_surroundings(what.slots[k].kind) && share.operands[k].data)
            s.bytes = std::max(s.bytes, s.deep * (share.matrix ? share.cols : 1) * what.slots[k].size);
    return s;
}

std::size_t edge_lines(const share_with_edges& s, std::size_t tiles) noexcept
{
    return s.edges * lines_of_tile(s, tiles);
}

double edges_cost_us(const share_with_edges& s, std::size_t tiles) noexcept
{
    constexpr double grids = 2; // the one that is read, and the one that is written
    return s.edges * s.task_us + grids * handle_us * static_cast<double>(tiles - 1);
}

double gain_of_edges_us(const share_with_edges& s, std::size_t first_lines, std::size_t tiles) noexcept
{
    if (s.edges == 0 || first_lines >= s.lines || s.message_us <= 0) return -1;
    const double part = static_cast<double>(s.lines - first_lines) / static_cast<double>(s.lines);
    const double hidden = std::min(s.message_us, part * s.work_us);
    return hidden - edges_cost_us(s, tiles);
}

bool is_worth_edges(const share_with_edges& s, double gain_us) noexcept
{
    return gain_us > worthwhile * (s.task_us + s.work_us + std::max(s.message_us, 0.0));
}

std::size_t tiles_for_edges(const share_with_edges& s) noexcept
{
    std::size_t best = 0;
    double most_us = 0;
    for (std::size_t tiles = 3; tiles <= most_tiles; ++tiles) {
        if (lines_of_tile(s, tiles) < s.deep) break; // what leaves an edge would lie in two tiles
        const double gain = gain_of_edges_us(s, edge_lines(s, tiles), tiles);
        if (gain > most_us) most_us = gain, best = tiles;
    }
    return best > 0 && is_worth_edges(s, most_us) ? best : 0;
}

} // namespace skelrt::detail
