// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

/// Names: what C++ calls it and what OpenCL C calls it.
namespace skelrt::detail::opencl
{

/// "std::uint32_t" without its qualification to "uint"; nothing for names that are no fundamental types.
std::optional<std::string> fixed_type(std::string_view name);

/// Words that mean something to OpenCL C alone: a user's name that is one of them gets an underscore.
bool is_reserved(std::string_view name);

/// A function of <cmath> or <algorithm> under the name that the translated text calls; nothing if there is none.
std::optional<std::string> math_function(std::string_view name);

/// Definition of a helper whose name math_function() gave; empty for OpenCL's own functions.
std::string helper_text(const std::string& name);

/// half, bfloat16: of ours.
inline bool is_short_number_name(std::string_view name) { return name == "half" || name == "bfloat16"; }

/// FLT_MAX, M_PI, INFINITY and their like, which have the same name in OpenCL C.
bool is_known_macro(std::string_view name);
bool is_double_macro(std::string_view name);

/// std::numeric_limits<type>::member(); type in OpenCL's words. Nothing if unknown.
std::optional<std::string> numeric_limit(const std::string& type, std::string_view member);

/// std::numbers::name as a double literal.
std::optional<std::string> number_constant(std::string_view name);

} // namespace skelrt::detail::opencl
