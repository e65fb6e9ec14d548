// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace apps
{

/// Values row by row for plain loops, which may look beyond the edge.
template <class T>
struct plain_grid {
    int rows, cols;
    std::vector<T> values;

    plain_grid(int rows, int cols) : rows(rows), cols(cols), values(static_cast<std::size_t>(rows) * cols) {}
    /// value(row, column) everywhere.
    template <class Value>
    plain_grid(int rows, int cols, const Value& value) : plain_grid(rows, cols)
    {
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < cols; ++c) at(r, c) = value(r, c);
    }

    T& at(int r, int c) { return values[static_cast<std::size_t>(r) * cols + c]; }
    const T& at(int r, int c) const { return values[static_cast<std::size_t>(r) * cols + c]; }
    const T& nearest(int r, int c) const { return at(std::clamp(r, 0, rows - 1), std::clamp(c, 0, cols - 1)); }
    T or_zero(int r, int c) const { return r < 0 || c < 0 || r >= rows || c >= cols ? T{} : at(r, c); }
};

} // namespace apps
