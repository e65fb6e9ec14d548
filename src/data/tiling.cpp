// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/managed.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

constexpr std::size_t enough_tiles = 32; ///< 1/32 is fine enough for any split

constexpr std::size_t rows_of_blocks = 128;

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

} // namespace

std::size_t usual_tiles(std::size_t bytes) noexcept
{
    return std::clamp<std::size_t>(bytes / tile_limits{}.least, 1, enough_tiles);
}

std::size_t choose_tile_elements(const storage& s, std::size_t wanted, const tile_limits& limits) noexcept
{
    // A vector is cut anywhere, a matrix between rows.
    const std::size_t unit = s.whole_rows ? s.cols : 1, units = s.whole_rows ? s.rows : s.count();
    if (units == 0) return std::max<std::size_t>(unit, 1); // one tile of nothing: ranks may have no share
    if (wanted > 0) return divide_up(units, std::min(wanted, units)) * unit;
    const std::size_t bytes = s.count() * s.element_size;
    const std::size_t tiles =
        std::max(std::clamp<std::size_t>(bytes / limits.least, 1, enough_tiles), divide_up(bytes, limits.most));
    std::size_t per_tile = divide_up(units, std::min(tiles, units));
    // Blocks of products have 128 rows, those of stencils fewer powers of two: parts of one would be lost in each tile.
    if (s.whole_rows && tiles > 1 && per_tile >= rows_of_blocks)
        per_tile = (per_tile + rows_of_blocks / 2) / rows_of_blocks * rows_of_blocks;
    // Whole pages whatever the element: copies and vector loads start aligned.
    if (!s.whole_rows && tiles > 1) per_tile = divide_up(per_tile, 4096) * 4096;
    return per_tile * unit;
}

} // namespace skelrt::detail
