// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/lines.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// The first line that begins at this element or behind it.
std::size_t line_from(const line_operand& o, std::size_t element, std::size_t lines)
{
    if (element <= o.offset) return 0;
    if (o.step == 0) return lines;
    return std::min((element - o.offset + o.step - 1) / o.step, lines);
}

} // namespace

position_run lines_at(const line_operand& o, std::size_t lines, unsigned rank) noexcept
{
    if (!o.dealt) return {0, lines};
    const position_run held = o.dealt->block_of(rank);
    const std::size_t first = line_from(o, held.first, lines);
    return {first, line_from(o, held.end(), lines) - first};
}

bool is_aligned(const line_operand& o, const line_operand& guide, std::size_t lines, unsigned ranks) noexcept
{
    if (!o.dealt || o == guide) return true;
    for (unsigned rank = 0; rank < ranks; ++rank) {
        const position_run wanted = lines_at(guide, lines, rank), held = lines_at(o, lines, rank);
        if (wanted.count > 0 && (wanted.first < held.first || wanted.end() > held.end())) return false;
    }
    return true;
}

unsigned first_with_lines(const line_operand& guide, std::size_t lines, unsigned ranks) noexcept
{
    unsigned rank = 0;
    while (rank + 1 < ranks && lines_at(guide, lines, rank).count == 0) ++rank;
    return rank;
}

} // namespace skelrt::detail
