// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace quicksort
{

/// So many ints; `kind`: random (the same each time), sorted or equal.
std::vector<int> make_input(std::size_t n, const std::string& kind);

} // namespace quicksort
