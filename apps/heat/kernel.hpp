// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

namespace heat
{

using plate = skelrt::matrix<float>;    ///< rows are y
using block = skelrt::tensor<float, 3>; ///< planes are z, rows y

/// Explicit steps of the heat equation, u += alpha * (sum of neighbours - number of neighbours * u), the outside being
/// cold: 0. Asynchronous, on the devices that this thread may use.
void advance(plate& to, const plate& from, std::size_t steps, float alpha);
void advance(block& to, const block& from, std::size_t steps, float alpha);

} // namespace heat
