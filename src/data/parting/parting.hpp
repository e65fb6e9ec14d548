// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/axis_split.hpp"

namespace skelrt::detail
{

/// Which rank holds which elements of a container: rows and columns dealt out over a grid of ranks, numbered row by
/// row. A vector is one row, a tensor a matrix whose rows are its planes. A rank's elements lie packed, row by row.
///
/// Interned: equal partings are one object, which lives as long as the process, so that pointers are compared. A
/// container of which every rank holds all has none.
struct parting {
    axis_split rows, cols;

    unsigned ranks() const noexcept { return rows.parts * cols.parts; }
    unsigned row_part(unsigned rank) const noexcept { return rank / cols.parts; }
    unsigned col_part(unsigned rank) const noexcept { return rank % cols.parts; }
    std::size_t rows_of(unsigned rank) const noexcept { return rows.held(row_part(rank)); }
    std::size_t cols_of(unsigned rank) const noexcept { return cols.held(col_part(rank)); }
    std::size_t count_of(unsigned rank) const noexcept { return rows_of(rank) * cols_of(rank); }
    unsigned owner(std::size_t row, std::size_t col) const noexcept
    {
        return rows.owner(row) * cols.parts + cols.owner(col);
    }
    /// Whether each rank's elements follow each other in the whole container's order, too.
    bool is_in_blocks() const noexcept;
    /// The elements of a rank, numbered in the whole container's order. Of what is_in_blocks().
    position_run block_of(unsigned rank) const noexcept;

    friend bool operator==(const parting&, const parting&) = default;
};

/// The one object for all that are equal. Any thread. O(log of the number of different partings).
const parting* intern(const parting& p);

/// What containers get where nobody wishes otherwise: balanced blocks of elements, or of whole rows.
parting balanced(std::size_t rows, std::size_t cols, bool whole_rows, unsigned ranks);

} // namespace skelrt::detail
