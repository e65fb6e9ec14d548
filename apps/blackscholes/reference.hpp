// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <vector>

namespace blackscholes
{

struct plain_prices {
    double call, put, spot;
};

/// The same formula by a plain loop in double precision, with the error function of <cmath>.
std::vector<plain_prices> plain_worth(const skelrt::vector<contract>& contracts);

} // namespace blackscholes
