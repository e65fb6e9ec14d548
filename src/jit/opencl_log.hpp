// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

/// Compilers for OpenCL C differ in what they make of #line (NVIDIA's ignores it); so we count the lines ourselves.
namespace skelrt::detail::opencl
{

/// The source with an empty line in the place of every #line directive: all other lines keep their physical number.
std::string without_line_directives(std::string_view source);

/// The compiler's log for without_line_directives(source), with the places that the directives meant: "app.cpp:12:
/// error". Columns go: they belong to the translated text.
std::string readable_log(std::string_view source, std::string_view log);

} // namespace skelrt::detail::opencl
