// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

/// Which calls a BLAS can compute. Pure.
namespace skelrt::detail::blas
{

/// Whether a call is the product of two matrices of floats, or of doubles: sk::all_pairs of sk::multiplies and sk::plus,
/// or of functions whose text is theirs but for names,  on sides that are read as they are.
bool is_plain_product(const recipe& what);

} // namespace skelrt::detail::blas
