// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>

namespace skelrt::detail
{

/// Rows and columns of a container; a vector is one row. Pure.
struct rectangle {
    std::size_t row = 0, col = 0, rows = 0, cols = 0;

    bool operator==(const rectangle&) const = default;
    std::size_t size() const noexcept { return rows * cols; }
    std::size_t row_end() const noexcept { return row + rows; }
    std::size_t col_end() const noexcept { return col + cols; }
};

/// Empty (size 0) if they share nothing.
inline rectangle intersection(const rectangle& a, const rectangle& b) noexcept
{
    const std::size_t row = std::max(a.row, b.row), row_end = std::min(a.row_end(), b.row_end());
    const std::size_t col = std::max(a.col, b.col), col_end = std::min(a.col_end(), b.col_end());
    if (row >= row_end || col >= col_end) return {};
    return {row, col, row_end - row, col_end - col};
}

inline bool overlap(const rectangle& a, const rectangle& b) noexcept { return intersection(a, b).size() > 0; }

inline bool contains(const rectangle& outer, const rectangle& inner) noexcept
{
    return outer.row <= inner.row && inner.row_end() <= outer.row_end() && outer.col <= inner.col &&
           inner.col_end() <= outer.col_end();
}

} // namespace skelrt::detail
