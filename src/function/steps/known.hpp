// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/loops/lockstep_steps.hpp>
#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <memory>

namespace skelrt::detail
{

/// record_steps(), read once for arguments that are the same byte by byte: all shares of a call have these, and most
/// calls of a filter. A function that could not be read once is not looked at again. Null: it has no steps.
std::shared_ptr<const lockstep_steps> known_steps(const recipe& what, const slot_view* slots, std::size_t pitch);

} // namespace skelrt::detail
