// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "call.hpp"

/// What the front end asks where several ranks do a call together; one process alone answers at once.
namespace skelrt::detail
{

/// Whether nested calls of this one become one kernel: see fuses(). A sort over several ranks takes in no functions that
/// ask for their position.
SKELRT_API bool fuses(const recipe& what) noexcept;

/// Whether each rank holds the same elements of two vectors, or parts, of one length.
SKELRT_API bool lie_together(const operand& a, const operand& b) noexcept;

} // namespace skelrt::detail
