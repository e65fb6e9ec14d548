// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

namespace sum
{

struct plain_sum {
    double value, magnitudes; ///< of the elements, and of their magnitudes
};

/// By a plain loop in long double.
plain_sum plain_sum_of(const numbers& x);

} // namespace sum
