#pragma once

#include <skelrt/detail/call.hpp>

#include <cstddef>

/// What one process does and several ranks do not, so far: errors on all ranks alike, which leave the cluster usable.
namespace skelrt::detail
{

[[noreturn]] void refuse_unaligned(const call& c, std::size_t slot);

} // namespace skelrt::detail
