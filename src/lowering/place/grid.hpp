#pragma once

#include "codelets/work.hpp"

#include <cstddef>

namespace skelrt::detail
{

/// The grid of a stencil, all of it, whatever share of the call is this rank's. `Call`: call or submitted_call.
template <class Call>
void set_whole_grid(std::size_t (&grid)[3], int rank, const Call& c)
{
    set_grid(grid, rank, c.matrix ? c.whole_lines : c.rows, c.matrix ? c.cols : c.whole_lines, c.width);
}

} // namespace skelrt::detail
