// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>

namespace skelrt::detail
{

/// The grid of a stencil, all of it, whatever share of the call is this rank's, and where the call lies in it. `Call`:
/// call or submitted_call.
template <class Call>
void set_whole_grid(work& w, const Call& c)
{
    const int rank = w.what.stencil.rank;
    if (!c.part.given())
        return set_grid(w.grid, rank, c.matrix ? c.whole_lines : c.rows, c.matrix ? c.cols : c.whole_lines, c.width);
    set_grid(w.grid, rank, c.part.rows, c.part.cols, c.width);
    w.corner[1] = c.part.row;
    w.corner[2] = c.part.col;
}

/// The lines of that grid, the elements of one, and the number of the first one that the call, all of it, is on.
template <class Call>
std::size_t grid_lines(const Call& c) noexcept
{
    if (!c.part.given()) return c.whole_lines;
    return c.matrix ? c.part.rows : c.part.cols;
}
template <class Call>
std::size_t grid_width(const Call& c) noexcept
{
    if (!c.matrix) return 1;
    return c.part.given() ? c.part.cols : c.cols;
}
template <class Call>
std::size_t first_grid_line(const Call& c) noexcept
{
    return c.matrix ? c.part.row : c.part.col;
}

/// The element of a hood operand's container, all of it, that the grid begins with.
template <class Call>
std::size_t grid_begin(const Call& c, const operand& o) noexcept
{
    return o.offset - first_grid_line(c) * grid_width(c);
}

} // namespace skelrt::detail
