// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/function.hpp>

#include <array>

namespace blur
{

// The weights as the devices see them, from the middle outwards: a uniform value, which a GPU has in constant memory and
// a CPU in registers. Numbers of their own rather than an array: gcc makes vectors of loops that copy the former.
// clang-format off
SKELRT_SHARED(
    struct gauss { float w0, w1, w2, w3, w4, w5, w6, w7, w8, w9; };
)
// clang-format on

inline constexpr int radius = 9;

/// All 19 weights, from one end to the other.
using weights = std::array<float, 2 * radius + 1>;

/// The weights of a Gaussian with this standard deviation in pixels, scaled so that their sum is one.
weights weights_of(double sigma);

gauss gauss_of(const weights& w);

} // namespace blur
