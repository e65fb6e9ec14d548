// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/element_grid.hpp"

#include <cstdint>
#include <optional>

/// Which elements of a container the rows of a product's side are. Pure.
namespace skelrt::detail
{

/// Element k of a side's row i: number offset + i * of_row + k * of_k of a container whose rows have `width` elements.
struct side_place {
    std::size_t offset = 0, of_row = 0, of_k = 0, width = 1;
};

/// A side that is a rectangle of its container: its rows, and their elements, follow the container's rows (down) or
/// columns (along), or are the same everywhere (still).
struct side_grid {
    enum class way : std::uint8_t { still, along, down };

    std::size_t row = 0, col = 0; ///< of element (0, 0) in the container
    way rows = way::still, ks = way::still;

    /// Elements `k` of these rows.
    element_grid part(const position_runs& of_rows, const position_run& k) const;
    /// From element to element in memory that holds a part, or more, with so many columns.
    std::size_t step(way w, std::size_t columns) const noexcept;
};

/// Of a side of rows x depth elements. None: no rectangle, as the rows of a matrix that are some rows apart.
std::optional<side_grid> as_grid(const side_place& p, std::size_t rows, std::size_t depth) noexcept;

/// Where `part` begins in memory that holds `held`, if its rows follow each other there, and its columns.
std::optional<std::size_t> place_in(const element_grid& held, const element_grid& part);

} // namespace skelrt::detail
