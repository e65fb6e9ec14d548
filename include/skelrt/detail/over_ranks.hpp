// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "call.hpp"

/// What the front end asks where several ranks do a call together; one process alone answers at once.
namespace skelrt::detail
{

/// Whether nested calls of this one become one kernel: see fuses(). A sort over several ranks takes in no functions
/// that ask for their position.
SKELRT_API bool fuses(const recipe& what) noexcept;

/// Whether each rank holds the same elements of two vectors, or parts, of one length.
SKELRT_API bool lie_together(const operand& a, const operand& b) noexcept;

/// Whether a call may add to what a container holds: none of its operands lies there, and one process has it all.
SKELRT_API bool may_add_to(const storage& to, const operand* operands, std::size_t count) noexcept;

} // namespace skelrt::detail
