// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"
#include "src/function/own/row_sum.hpp"

#include <cstddef>
#include <cstdint>

/// How the rows of a sparse matrix are shared: a row counts as one item and each of its entries as another, so that
/// neither long rows nor many short ones make a share longer. After Merrill and Garland, "Merge-based parallel sparse
/// matrix-vector multiplication", SC 2016, but that rows stay whole. Pure.
namespace skelrt::detail::sparse
{

/// Whether a GPU's kernels of a call have one for a product of a sparse matrix in it: where indices are checked,
/// functions make the sums.
bool sums_rows(const recipe& what);

/// How many of `rows` rows end within the first `item` items; row r has the entries begin[r] to begin[r + 1] - 1.
std::size_t row_at(const std::uint64_t* begin, std::size_t rows, std::size_t item) noexcept;

/// The first of a map's elements, counted through its segments, that belongs to a share of so many items; in memory of
/// the host. Rows stay whole.
std::size_t share_begin(const work& w, const row_sum& sum, std::size_t share, std::size_t shares) noexcept;

/// Blocks of threads on a GPU: each sums the rows that end within its items, a tile of entries after the other.
struct row_blocks {
    std::size_t width;  ///< columns of a block, a power of two; 1: the call is a vector
    std::size_t items;  ///< of a block, at least
    std::size_t across; ///< blocks beside each other, for all columns
    std::size_t down;   ///< blocks below each other, for as many items as rows of the matrix have on average
};

/// For the longest of a work's segments. `tile`: products that a block has room for.
row_blocks row_blocks_for(const work& w, const row_sum& sum, std::size_t tile) noexcept;

inline constexpr std::size_t widest_block = 16; ///< a line of the caches, of doubles
/// Columns of a block, for a call of so many.
std::size_t block_width(std::size_t cols) noexcept;

/// Whether blocks can do the work: elements of a product with a vector lie in one row.
bool fits_in_blocks(const work& w, const row_sum& sum) noexcept;

} // namespace skelrt::detail::sparse
