// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace mandelbrot
{

// What the devices see.
// clang-format off
SKELRT_SHARED(
    struct view {
        float x, y;  // the middle of the upper left pixel
        float step;  // from pixel to pixel
        int limit;   // iterations after which a point counts as inside; a multiple of 8
    };
    struct pixel { unsigned char r, g, b, a; };
)
// clang-format on

/// A part of the complex plane: the middle, and how wide it is.
struct frame {
    double x = -0.75, y = 0, width = 3.5;
};

/// Pixels of `size` (columns, rows) that show the frame. Throws input_error where neighbouring pixels would be the same
/// number in single precision. The limit becomes a multiple of 8.
view view_of(const frame& part, std::size_t cols, std::size_t rows, int limit);

/// Computes all pixels, asynchronously, on the devices that this thread may use.
void compute(skelrt::matrix<pixel>& picture, const view& v);

/// The colour of a point that escapes after `iterations`, a smooth count; a `limit` is inside of the set.
pixel colour_of(float iterations, int limit);

} // namespace mandelbrot
