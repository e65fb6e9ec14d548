// SPDX-License-Identifier: BSD-3-Clause
#include "gauss.hpp"

#include <cmath>

namespace blur
{

weights weights_of(double sigma)
{
    const auto weight = [sigma](int k) { return std::exp(-0.5 * k * k / (sigma * sigma)); };
    double sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += weight(k);
    weights w{};
    for (int k = -radius; k <= radius; ++k)
        w[static_cast<std::size_t>(k + radius)] = static_cast<float>(weight(k) / sum);
    return w;
}

// cppcheck-suppress containerOutOfBounds ; it takes weights for an array of two
gauss gauss_of(const weights& w) { return {w[9], w[10], w[11], w[12], w[13], w[14], w[15], w[16], w[17], w[18]}; }

} // namespace blur
