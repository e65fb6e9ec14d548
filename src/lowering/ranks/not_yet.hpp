// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

#include <cstddef>

/// What one process does and several ranks do not, so far: errors on all ranks alike, which leave the cluster usable.
namespace skelrt::detail
{

/// Throws for a container that is dealt out, in work that is one rank's own.
void refuse_dealt_out(const call& c);

/// Throws for a view that goes back through its container.
void refuse_reversed(const call& c);

[[noreturn]] void refuse_unaligned(const call& c, std::size_t slot);

} // namespace skelrt::detail
