// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

namespace video
{

/// 0 to 255, whole numbers: all that follows is exact, and so the same on every device.
using grey = skelrt::matrix<float>;

/// 2: an edge; 1: one if it touches an edge; 0: none.
using marks = skelrt::matrix<int>;

/// Of which steepness pixels are edges, and may be: in grey values a pixel after the blur.
struct thresholds {
    float sure = 30, maybe = 12;
};
/// So many pixels an edge grows along what may be one.
inline constexpr int growth = 4;

// The steps, each to be called on its own; results are those of Canny with sums of magnitudes as steepness.

/// A Gaussian of 5 x 5 pixels, times 256.
grey blurred(const grey& picture);
marks edges_of(const grey& blurred, const thresholds& t);

/// The pixels that are edges or may be, before any edge grows.
marks marked(const grey& blurred, const thresholds& t);

} // namespace video
