// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <vector>

namespace blur
{

/// Filters in double precision, by plain loops along rows and then down columns.
std::vector<double> plain_blurred(const plane& source, const weights& w, int times);

} // namespace blur
