// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/segments.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// First position after `at` whose element lies beyond the tile that holds position `at`.
std::size_t tile_end(const cut_operand& o, std::size_t at)
{
    const std::size_t in_tile = (o.offset + at * o.step) % o.tile_elements;
    const std::size_t room = goes_back(o.step) ? in_tile : o.tile_elements - 1 - in_tile;
    const std::size_t step = goes_back(o.step) ? 0 - o.step : std::max<std::size_t>(o.step, 1);
    return at + room / step + 1;
}

} // namespace

std::vector<std::size_t> cut_axis(std::size_t extent, std::span<const cut_operand> operands)
{
    std::vector<std::size_t> cuts{0};
    while (cuts.back() < extent) {
        std::size_t end = extent;
        for (const cut_operand& o : operands) end = std::min(end, tile_end(o, cuts.back()));
        cuts.push_back(end);
    }
    return cuts;
}

} // namespace skelrt::detail
