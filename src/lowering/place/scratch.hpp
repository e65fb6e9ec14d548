// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/devices.hpp"

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <span>

namespace skelrt::detail
{

/// Bytes of device memory for partial results that a task of the recipe needs on any of these devices, the partial
/// result included. `blocks`: of each target, threads of a block as a plan has them; empty: as usual.
std::size_t scratch_bytes_for(std::span<const target* const> targets, const recipe& r, std::size_t partial_bytes,
                              std::size_t elements, std::size_t columns, std::span<const unsigned> blocks = {});

} // namespace skelrt::detail
