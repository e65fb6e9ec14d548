// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "canvas.hpp"

/// Numbers as colours.
namespace apps
{

/// A palette: 0 to 1, and beyond as at the ends.
using palette = colour (*)(float);

/// Blue, nearly white in the middle, red; as dark on both sides. For values around zero.
colour blue_to_red(float value);

/// Black, violet, red, yellow, nearly white, evenly lighter. For values from nothing upwards.
colour dark_to_light(float value);

} // namespace apps
