#pragma once

#include <skelrt/detail/call.hpp>

#include <cstddef>

/// What one process does and several ranks do not, so far: errors on all ranks alike, which leave the cluster usable.
namespace skelrt::detail
{

/// Throws for skeletons whose parts need each other.
void refuse_skeletons(const call& c);

/// Whether a function of the call's wants to know where it is.
bool asks_for_position(const recipe& r);

[[noreturn]] void refuse_unaligned(const call& c, std::size_t slot);

} // namespace skelrt::detail
