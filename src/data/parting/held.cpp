// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parting/held.hpp"

#include "src/cluster/other_ranks.hpp"
#include "src/cluster/peers.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/detail/items/dealing.hpp>

#include <algorithm>

namespace skelrt::detail
{

held_part all_held(std::size_t rows, std::size_t cols) noexcept { return {rows, cols, rows, cols, 0, nullptr}; }

held_part held_by(const parting& p, unsigned rank) noexcept
{
    const std::size_t rows = p.rows_of(rank), cols = p.cols_of(rank);
    if (p.is_in_blocks()) return {rows, cols, p.rows.extent, p.cols.extent, p.block_of(rank).first, &p};
    const std::size_t first =
        rows * cols > 0 ? p.rows.global(p.row_part(rank), 0) * p.cols.extent + p.cols.global(p.col_part(rank), 0) : 0;
    return {rows, cols, p.rows.extent, p.cols.extent, first, &p};
}

held_part new_part(std::size_t rows, std::size_t cols, bool whole_rows)
{
    const peers* const ranks = other_ranks(running::current());
    if (!ranks) return all_held(rows, cols);
    const auto count = static_cast<unsigned>(ranks->size());
    return held_by(*intern(balanced(rows, cols, whole_rows, count)), static_cast<unsigned>(ranks->rank()));
}

held_part part_of(const storage& s) noexcept { return {s.rows, s.cols, s.shape_rows, s.shape_cols, s.first, s.dealt}; }

namespace
{

position_runs runs_of(const local_axis& axis, std::size_t count)
{
    if (axis.block == 0) return {{axis.first, count}};
    position_runs runs;
    for (std::size_t i = 0; i < count; i += axis.block)
        runs.push_back({axis.number(i), std::min(axis.block, count - i)});
    return runs;
}

} // namespace

element_grid grid_of(const storage& s)
{
    const local_axes axes = axes_of(&s);
    return {runs_of(axes.rows, s.rows), runs_of(axes.cols, s.cols)};
}

bool lies_otherwise(const storage& s) noexcept
{
    if (!s.dealt) return false;
    const bool cuts_lines = s.whole_rows && s.dealt->cols.parts > 1; // a matrix of one row, too
    return cuts_lines || !s.dealt->is_in_blocks();
}

local_axes axes_of(const storage* s) noexcept
{
    if (!s || s->shape_cols == 0) return {};
    local_axes axes{{s->first / s->shape_cols}, {s->first % s->shape_cols}};
    const auto set_blocks = [](local_axis& to, const axis_split& a) {
        to.block = a.block, to.turn = a.block * a.parts;
    };
    if (s->dealt) set_blocks(axes.rows, s->dealt->rows), set_blocks(axes.cols, s->dealt->cols);
    return axes;
}

void set_part(storage& s, const held_part& p) noexcept
{
    s.rows = p.rows;
    s.cols = p.cols;
    s.shape_rows = p.shape_rows;
    s.shape_cols = p.shape_cols;
    s.first = p.first;
    s.dealt = p.dealt;
}

} // namespace skelrt::detail
