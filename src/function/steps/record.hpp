// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/loops/lockstep_steps.hpp>
#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <optional>

/// Functions of stencils read as lists of steps, which cores then take for many positions at a time.
namespace skelrt::detail
{

/// What the only function of a stencil in matrices does with these operands at each position, where hoods' rows are
/// `pitch` elements apart. Declarations, loops, questions, sums and products are read; only numbers of the elements'
/// type may depend on what hoods see. Nothing: something else stands there, or hoods are read beyond their reach. Takes
/// about half a microsecond for each element that a hood sees.
std::optional<lockstep_steps> record_steps(const recipe& what, const slot_view* slots, std::size_t pitch);

} // namespace skelrt::detail
