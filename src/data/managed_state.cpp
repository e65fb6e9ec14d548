// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/managed_state.hpp"

#include "src/data/range/tile_range.hpp"
#include "src/data/tile_handle.hpp"

namespace skelrt::detail
{

void forget_past(managed_state& m) noexcept
{
    m.moves = {};
    m.producer = m.nobody;
    m.run = {m.nobody, 0};
}

bool lies_in_one_piece(const managed_state& m, unsigned node) noexcept
{
    return m.in_range == m.tile_count() && m.range && m.range->covers(node);
}

void note_tiles_in_range(managed_state& m) noexcept
{
    m.in_range = 0;
    while (m.range && m.in_range < m.tile_count() && is_tile_of(m.tiles[m.in_range], *m.range, m.in_range))
        ++m.in_range;
}

} // namespace skelrt::detail
