// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cuda/stencil/stencil.hpp"

/// Where the shared memory of stencil_lockstep.cpp has what. `size`: bytes of a number.
namespace skelrt::detail::cuda
{

/// Rows and columns that a hood sees.
std::size_t hood_width(const recipe& what);

/// Weights lie in rows of whole words of 16 bytes: numbers from a row to the next, and bytes of all.
std::size_t weights_line(const recipe& what, std::size_t size);
std::size_t weights_bytes(const recipe& what, std::size_t size);

/// Of what the hoods of a block see.
std::size_t patch_tile_bytes(const recipe& what, const stencil_plan& plan, std::size_t size);

} // namespace skelrt::detail::cuda
