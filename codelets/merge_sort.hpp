// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <string>

/// What the merge sorts of CUDA and OpenCL share: the kernels' text, which both languages understand, and the memory.
namespace skelrt::detail
{

/// How a group of threads sorts and merges: tiles of as many keys, of which each lane has a run at a time.
struct sort_tile {
    unsigned run, lanes;
    std::size_t size() const { return std::size_t{run} * lanes; }
    std::string text() const; ///< as macros, in front of merge_sort_text()
};
/// `group`: so many lanes, a power of two; 0: as many as are usual. Throws error if a tile for these is too large.
sort_tile sort_tile_of(const recipe& what, unsigned group);

/// Functions sort_tile() and merge_tile() of one group, and what they consist of. The text before it defines
/// the tile, and
///   KEY, BEFORE(a, b)    type and order of the keys
///   GLOBAL, SHARED       qualifiers of pointers to device memory and to memory of the group
///   GROUP, THREAD, THREADS, BARRIER
std::string merge_sort_text(const recipe& what);

/// Offsets in a sort's scratch, for keys of that size. Keys and, by key, their 32-bit positions in the call go from one
/// half to the other.
struct sort_scratch {
    sort_scratch(const recipe& what, std::size_t elements, std::size_t key_size);
    std::size_t keys[2], order[2], values = 0, end = 0;
};

} // namespace skelrt::detail
