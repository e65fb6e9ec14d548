// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <optional>
#include <string>

/// Functions of stencils that can compute several positions at once: skelrt::patch<T>, a number of each position, takes
/// the place of T in their text. What such a function reads besides its hoods it reads once for all positions.
namespace skelrt::detail
{

/// What the text of such a function says.
struct lockstep_reading {
    bool down = false;      ///< innermost loops go from row to row of a hood; else along the columns
    std::size_t tokens = 0; ///< of innermost loops
};

/// Of a stencil's only function, in matrices. Nothing: it does not say that all positions go the same way, since there
/// are questions in it, calls, or more than numbers. Linear in the text.
std::optional<lockstep_reading> read_lockstep(const recipe& what);

/// Loops of the function that the compiler unrolls.
enum class unrolled : bool { innermost, all };

/// skelrt::patch<T>, of generated::own_y x own_x positions, and skelrt::hood2 and skelrt::patch_hood2 in a tile:
///   hood(tile, row, column)   where the tile has what the position sees first
/// In namespace skelrt::generated, tile_index<T>(row, column) is where a tile has what. For cuda_hoods(); needs
/// generated::own_y, own_x, gap<sizeof(T)> and pitch<sizeof(T)> in front. There are no checks of bounds in it.
extern const char* const lockstep_hoods;

/// Behind cuda_functions(): struct patch_element, as element, and
///   evaluate_patch(patch_element, uniforms)   a patch<result_type>
/// Loops are unrolled up to `rounds` times. For recipes that read_lockstep() accepts.
std::string cuda_lockstep(const recipe& what, unrolled loops, std::size_t rounds);

} // namespace skelrt::detail
