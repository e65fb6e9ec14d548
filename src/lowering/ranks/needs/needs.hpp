// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/element_grid.hpp"
#include "src/data/parting/known_copies.hpp"
#include "src/lowering/ranks/needs/lines.hpp"

#include <skelrt/detail/call.hpp>

#include <vector>

/// Which elements of an operand some lines of a call need. Pure but for the container's shape.
namespace skelrt::detail
{

/// Whether a function of the call's wants to know where it is.
bool asks_for_position(const recipe& r) noexcept;

/// Whether what the function sees of a slot moves on from line to line; else all lines see the same.
bool moves_with_lines(slot_kind kind) noexcept;

/// Of an operand that moves.
line_operand as_lines(const call& c, const operand& o) noexcept;

/// A matrix that the function sees transposed: read whole, but of each line other elements.
bool lies_transposed(slot_kind kind, const operand& o) noexcept;

/// Whether the function sees any element of an operand of a call that has positions.
bool has_elements(const call& c, std::size_t slot) noexcept;

/// Rows and columns of a copy; the last row may end early. `whole_rows`: no tile ends within a row.
struct copy_shape {
    std::size_t rows = 0, cols = 0;
    bool whole_rows = false;
};

/// What some lines of a call need of an operand, without what lies around them: a rectangle of the container, or, if
/// that is none, of the container as one row; and how the operand steps through a copy of it, from its start on.
struct operand_need {
    bool as_one_row = false;
    position_run rows, cols;
    std::size_t ld = 0, stride = 0;
    copy_shape copy{}; ///< tasks take each line of a matrix call from one tile: so it lies in one

    std::size_t count() const noexcept { return rows.count * cols.count; }
    element_grid grid() const { return {{rows}, {cols}}; }
    copied_region region() const noexcept { return {as_one_row, rows, cols}; }
};

/// From the first to the last element that these lines use: of operands that do not move, all that the function may
/// look at. None for no lines.
operand_need need_of(const call& c, std::size_t slot, const position_run& lines, bool as_one_row = false) noexcept;

/// Lines of the grid that the hoods of a share reach, beside those of its positions, as runs in ascending order.
std::vector<position_run> lines_around_share(const call& c, const position_run& share);

} // namespace skelrt::detail
