// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

/// A rectangle of a matrix, and of what it should hold.
struct area {
    std::size_t row, col, rows, cols;
};

/// A matrix beside plain memory that sequential code works on.
struct checked_matrix {
    std::size_t rows, cols;
    skelrt::matrix<int> real;
    std::vector<int> right;

    checked_matrix(std::size_t r, std::size_t c) : rows(r), cols(c), real(r, c, 0), right(r * c, 0) {}
    skelrt::view2<int> part(const area& a) const { return real.sub(a.row, a.col, a.rows, a.cols); }
    int& at(std::size_t r, std::size_t c) { return right[r * cols + c]; }
    template <class F>
    void each(const area& a, F f)
    {
        for (std::size_t r = a.row; r < a.row + a.rows; ++r)
            for (std::size_t c = a.col; c < a.col + a.cols; ++c) f(at(r, c));
    }
    int sum(const area& a)
    {
        unsigned s = 0; // sums may be too large for an int, and wrap around
        each(a, [&](int v) { s += static_cast<unsigned>(v); });
        return static_cast<int>(s);
    }
};

inline bool overlap(const area& a, const area& b)
{
    return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols && b.col < a.col + a.cols;
}

/// All of a matrix, some rows at a time.
inline std::vector<area> bands_of(const checked_matrix& m, std::size_t rows)
{
    std::vector<area> bands;
    for (std::size_t r = 0; r < m.rows; r += rows) bands.push_back({r, 0, std::min(rows, m.rows - r), m.cols});
    return bands;
}
