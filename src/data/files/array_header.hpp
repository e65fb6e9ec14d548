// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/files.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The header of NumPy's files: what lies behind it. Pure.
namespace skelrt::detail
{

struct array_header {
    stored_element element;
    std::vector<std::size_t> extents;
};

/// "<f4", as NumPy names it.
std::string type_text(stored_element e);
/// "(3, 4)", "(3,)", as Python has it.
std::string extents_text(std::span<const std::size_t> extents);

/// Version 1.0, byte for byte as NumPy writes it; elements begin behind it.
std::string header_text(stored_element e, std::span<const std::size_t> extents);

/// With which bytes a file begins, before its header's own.
inline constexpr std::size_t preamble_bytes = 12;
/// Where elements begin, from a file's first bytes, at most preamble_bytes. Throws error for what is no such file.
std::size_t elements_at(std::string_view preamble);
/// From all that lies in front of the elements. Throws error for what we do not read, with the way out.
array_header parse_header(std::string_view bytes);

} // namespace skelrt::detail
