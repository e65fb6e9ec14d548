// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace bench
{

/// Seconds for so many items without work, each with a result, as one writes them by hand; negative: not built in.
double starpu_items_seconds(std::size_t items);
double tbb_items_seconds(std::size_t items);

/// Work for a range of elements: what items of the nested benchmark do, by a plain loop.
void plain_steps(float* x, std::size_t n, int steps);
/// One parallel OpenMP loop over the items, each with so many steps on elements of its own.
void openmp_items(float* x, std::size_t items, std::size_t elements, int steps);

} // namespace bench
