// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace quicksort
{

/// So many elements are sorted by one thread, with the same splits: they are worth more than a node of the tree costs.
inline constexpr std::size_t usual_cutoff = 1024;
/// In place of such a number: as was learnt.
inline constexpr std::size_t learnt_cutoff = 0;

/// Sorts by divide and conquer on all cores, in place: O(n log n) comparisons, whatever the input; one pass over what
/// is sorted already.
void sort(std::span<int> x, std::size_t cutoff = usual_cutoff);

} // namespace quicksort
