// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

namespace convolve
{

using picture = skelrt::matrix<float>;

/// Each pixel becomes the sum of the pixels around it, `width` x `width` of them (odd), each times its weight. Pixels
/// beyond the edge are like those at the edge. Asynchronous.
void filter(picture& to, const picture& from, const picture& weights, int width);

/// A picture of noise.
picture noise(std::size_t size);
/// Weights whose sum is 1, all different: a Gaussian that leans to one side.
picture leaning_gaussian(int width);

} // namespace convolve
