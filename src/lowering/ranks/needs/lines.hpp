// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/parting.hpp"

/// Which lines of a call are whose. Pure. A line is a row of the call's positions, or one position of a vector's; what
/// an operand has of it lies with one rank.
namespace skelrt::detail
{

/// An operand whose elements move on from line to line: line p begins at element offset + p * step of the whole
/// container.
struct line_operand {
    const parting* dealt = nullptr; ///< in blocks; null: every rank holds all of it
    std::size_t offset = 0, step = 1;
    friend bool operator==(const line_operand&, const line_operand&) = default;
};

/// Of so many lines those whose elements this rank holds. All of them, of what every rank holds.
position_run lines_at(const line_operand& o, std::size_t lines, unsigned rank) noexcept;

/// Whether every rank holds what it needs of an operand, if it does the lines that it has of the guide. O(ranks), and
/// less where both are dealt out alike.
bool is_aligned(const line_operand& o, const line_operand& guide, std::size_t lines, unsigned ranks) noexcept;

/// The first rank that has lines of the guide. There is one.
unsigned first_with_lines(const line_operand& guide, std::size_t lines, unsigned ranks) noexcept;

} // namespace skelrt::detail
