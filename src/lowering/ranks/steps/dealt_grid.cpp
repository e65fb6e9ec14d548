// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/steps/dealt_grid.hpp"

#include "src/data/parting/parting.hpp"
#include "src/lowering/place/halo.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// As its passes find it: what lies otherwise, or on every rank, is dealt out first.
const parting& in_blocks(const storage& s, unsigned ranks)
{
    if (s.dealt && s.dealt->is_in_blocks()) return *s.dealt;
    return *intern(balanced(s.shape_rows, s.shape_cols, s.whole_rows, ranks));
}

} // namespace

unsigned reach_of(const call& c) noexcept
{
    const line_reach reach = reach_in_lines(c.site->what.stencil, c.matrix);
    return std::max(reach.before, reach.after);
}

std::size_t shortest_part(const call& c, unsigned ranks)
{
    const parting& dealt = in_blocks(*c.operands[0].data, ranks);
    const std::size_t width = c.matrix ? c.cols : 1;
    std::size_t least = c.matrix ? c.rows : c.cols;
    for (unsigned rank = 0; rank < dealt.ranks(); ++rank)
        if (const std::size_t lines = dealt.block_of(rank).count / width; lines > 0) least = std::min(least, lines);
    return least;
}

} // namespace skelrt::detail
