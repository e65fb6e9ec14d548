#pragma once

#include "src/lowering/ranks/needs/lines.hpp"

#include <skelrt/detail/call.hpp>

#include <vector>

/// Which elements of an operand some lines of a call need. Pure but for the container's shape.
namespace skelrt::detail
{

/// Whether what the function sees of a slot moves on from line to line; else all lines see the same.
bool moves_with_lines(slot_kind kind) noexcept;

/// Of an operand that moves.
line_operand as_lines(const call& c, const operand& o) noexcept;

/// Whether the function sees any element of an operand of a call that has positions.
bool has_elements(const call& c, std::size_t slot) noexcept;

/// Elements of the whole container, from the first to the last that these lines use, without what lies around them:
/// of operands that do not move, all that the function may look at. None for no lines.
position_run needed_elements(const call& c, std::size_t slot, const position_run& lines) noexcept;

/// Lines of the whole call that the hoods of a share reach, beside its own, as runs in ascending order.
std::vector<position_run> lines_around_share(const call& c, const position_run& share);

} // namespace skelrt::detail
