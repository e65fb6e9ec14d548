// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "view.hpp"

#include <skelrt/skelrt.hpp>

namespace mandelbrot
{

/// Computes all pixels, asynchronously, on the devices that this thread may use.
void compute(skelrt::matrix<pixel>& picture, const view& v);

/// The colour of a point that escapes after `iterations`, a smooth count; a `limit` is inside of the set.
pixel colour_of(float iterations, int limit);

} // namespace mandelbrot
