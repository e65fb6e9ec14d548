// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <string>
#include <string_view>

/// Types of the standard library for NVRTC, which has no headers, and sk::half.
namespace skelrt::detail
{

/// std::complex, std::array, std::numbers and sk::half, as far as the functions and types of `what` name them: whoever
/// does not pays nothing. To be put between the preamble and the functions.
std::string cuda_standard_types(const recipe& what);

/// Half precision: its order, too, has to think of NaN.
inline bool is_half(std::string_view type) { return type == "sk::half" || type == "skelrt::half"; }

} // namespace skelrt::detail
