// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <string>
#include <string_view>

/// Types of the standard library for NVRTC, which has no headers, and short numbers.
namespace skelrt::detail
{

/// std::complex, std::array, std::numbers, sk::half and sk::bfloat16, as far as the functions and types of `what` name
/// them: whoever does not pays nothing. To be put between the preamble and the functions.
std::string cuda_standard_types(const recipe& what);

/// sk::half, sk::bfloat16: their order, too, has to think of NaN.
inline bool is_short_number(std::string_view type)
{
    return type == "sk::half" || type == "skelrt::half" || type == "sk::bfloat16" || type == "skelrt::bfloat16";
}

} // namespace skelrt::detail
