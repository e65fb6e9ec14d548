// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// The last element of the container that an operand with elements has.
std::size_t last_of(const operand& o) noexcept;

/// Whether two operands of one container may share an element. False is sure; rows, columns, rectangles of one matrix
/// and parts of vectors are told exactly, of other strided parts some that share nothing are taken for such that do.
/// Pure.
bool may_overlap(const operand& a, const operand& b) noexcept;

} // namespace skelrt::detail
