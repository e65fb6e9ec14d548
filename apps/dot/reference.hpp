// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

namespace dot
{

struct plain_sum {
    double value, magnitudes; ///< of the terms, and of their magnitudes
};

/// By a plain loop in long double.
plain_sum plain_product(const numbers& x, const numbers& y);

} // namespace dot
