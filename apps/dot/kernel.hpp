// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace dot
{

using numbers = skelrt::vector<double>;

/// The dot product; the products of elements are never stored. Asynchronous.
skelrt::scalar<double> product(const numbers& x, const numbers& y);

/// Numbers between -1 and 1 at random: always the same for a seed.
numbers random_numbers(std::size_t n, std::size_t seed);

} // namespace dot
