// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/element_grid.hpp"

#include <skelrt/detail/storage.hpp>

namespace skelrt::detail
{

/// What this rank holds of a container, and of what container.
struct held_part {
    std::size_t rows = 0, cols = 0;
    std::size_t shape_rows = 0, shape_cols = 0;
    std::size_t first = 0;
    const parting* dealt = nullptr;

    std::size_t count() const noexcept { return rows * cols; }
    friend bool operator==(const held_part&, const held_part&) = default;
};

/// All of it, as every rank does.
held_part all_held(std::size_t rows, std::size_t cols) noexcept;
/// What `rank` holds.
held_part held_by(const parting& p, unsigned rank) noexcept;
/// This rank's part of a new container: balanced blocks, or all where one process runs alone,
/// and in an item of a farm.
held_part new_part(std::size_t rows, std::size_t cols, bool whole_rows);

held_part part_of(const storage& s) noexcept;
/// The rows and columns that this rank holds.
element_grid grid_of(const storage& s);
/// Whether ranks hold other elements of a container than such that follow each other.
bool lies_otherwise(const storage& s) noexcept;
void set_part(storage& s, const held_part& p) noexcept;

} // namespace skelrt::detail
