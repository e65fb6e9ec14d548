// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <cmath>

namespace dot
{

plain_sum plain_product(const numbers& x, const numbers& y)
{
    const auto a = skelrt::host_read(x), b = skelrt::host_read(y);
    long double sum = 0, magnitudes = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const long double term = static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
        sum += term;
        magnitudes += std::abs(term);
    }
    return {static_cast<double>(sum), static_cast<double>(magnitudes)};
}

} // namespace dot
