// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

namespace skelrt::detail
{

/// Nanoseconds that an element costs one core, by what stands in the functions' texts. What somebody has measured is
/// worth more, but nobody can measure a function whose operands lie on a GPU. Linear in the length of the texts.
double likely_element_ns(const recipe& r);

} // namespace skelrt::detail
