// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace sum
{

using numbers = skelrt::vector<double>;

/// Of all elements. Asynchronous.
skelrt::scalar<double> sum_of(const numbers& x);

/// Numbers between -1 and 1 at random: always the same for a seed.
numbers random_numbers(std::size_t n, std::size_t seed);

} // namespace sum
