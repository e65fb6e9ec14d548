// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <string>

/// Hoods of stencils in OpenCL C.
namespace skelrt::detail::opencl
{

/// What the types of hoods stand on. The program is built with
///   SKELRT_STEPS    applications of the function in one pass
///   SKELRT_TILE_X, SKELRT_TILE_Y   columns of a tile, and rows of a tensor's
///   SKELRT_CHECKED  when no tile can hold the hoods: each access applies the border rule
/// and offers SKELRT_BEFORE_<axis>, SKELRT_AFTER_<axis> (Z, Y, X), SKELRT_BORDER (one of SKELRT_CONSTANT and its like),
/// SKELRT_PITCH_Y, SKELRT_PITCH_Z and skelrt_space, the extent of a segment.
std::string hood_prologue(const stencil_shape& shape);

/// The type `name` of a hood of `rank` of elements `type`, stored as `stored`:
///   name_element  what lies in memory
///   name_around   a segment's elements and what lies around them
///   name_find(name_around, z, y, x)  an element by its coordinate in the segment, by the border rule
///   name, and name_at(name, distances...)  what user functions see
std::string hood_type(const std::string& name, int rank, const std::string& type, const std::string& stored);

} // namespace skelrt::detail::opencl
