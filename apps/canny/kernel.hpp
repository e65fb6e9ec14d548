// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/video/kernel.hpp"

namespace canny
{

/// Edges grown as far as they reach along all that may be one. Connected components by hooking and compressing
/// (Shiloach and Vishkin, J. Algorithms 3(1), 1982): the rounds grow with the logarithm of the pixels, however long the
/// edges are. At most 2^31 - 2 pixels.
video::marks fully_grown(const video::marks& found);

} // namespace canny
