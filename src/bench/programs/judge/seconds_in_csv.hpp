// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace bench
{

/// What an application's table says that it took: the sum of the medians of its rows, one for each problem. Pure.
/// Throws std::runtime_error if it has none.
double seconds_in_csv(const std::vector<std::string>& lines);

} // namespace bench
