// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <cmath>

namespace sum
{

plain_sum plain_sum_of(const numbers& x)
{
    long double sum = 0, magnitudes = 0;
    for (const double element : skelrt::host_read(x)) {
        sum += static_cast<long double>(element);
        magnitudes += static_cast<long double>(std::abs(element));
    }
    return {static_cast<double>(sum), static_cast<double>(magnitudes)};
}

} // namespace sum
