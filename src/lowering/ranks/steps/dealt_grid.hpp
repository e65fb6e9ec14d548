// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

#include <cstddef>

/// The grid of an iterated stencil, as ranks hold it in its passes. Pure.
namespace skelrt::detail
{

/// Lines that a step looks to one side, at most, on the axis that is dealt out.
unsigned reach_of(const call& c) noexcept;

/// Lines of the shortest part of the grid that has some.
std::size_t shortest_part(const call& c, unsigned ranks);

} // namespace skelrt::detail
