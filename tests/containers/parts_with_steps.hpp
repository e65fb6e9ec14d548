// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../conformance/support.hpp"

#include <numeric>
#include <type_traits>
#include <vector>

/// Some rows and columns of a matrix, as a view and as plain numbers.
namespace test
{

struct stepped {
    std::size_t rows, cols;     ///< of the matrix
    std::size_t row, col, n, m; ///< where the part begins, and its rows and columns
    std::size_t down, along;    ///< from one to the next

    template <class Matrix>
    auto of(const Matrix& all) const
    {
        return all.sub(row, col, n, m, down, along);
    }
    std::size_t at(std::size_t i, std::size_t j) const { return (row + i * down) * cols + col + j * along; }

    /// f(number in the matrix), or f(number, row, column), of each element of the part.
    template <class F>
    auto each(F f) const
    {
        std::vector<int> all;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < m; ++j)
                if constexpr (std::is_invocable_v<F, std::size_t>) all.push_back(f(at(i, j)));
                else all.push_back(f(at(i, j), i, j));
        return all;
    }
    /// `to` with such elements in the part.
    template <class F>
    std::vector<int> put(std::vector<int> to, F f) const
    {
        return put_each(std::move(to), each(f));
    }
    template <class T>
    std::vector<T> put_each(std::vector<T> to, const std::vector<T>& part) const
    {
        for (std::size_t k = 0; k < part.size(); ++k) to[at(k / m, k % m)] = part[k];
        return to;
    }
};

inline stepped parts_with_steps()
{
    return GENERATE(Catch::Generators::values<stepped>({{1, 1, 0, 0, 1, 1, 1, 1},
                                                        {1, 1, 0, 0, 0, 0, 3, 2},
                                                        {31, 17, 0, 0, 16, 17, 2, 1},
                                                        {31, 17, 0, 1, 31, 8, 1, 2},
                                                        {40, 33, 3, 2, 12, 10, 3, 3},
                                                        {129, 65, 1, 0, 64, 33, 2, 2},
                                                        {50, 40, 49, 39, 1, 1, 7, 9},
                                                        {37, 20, 36, 0, 1, 20, 5, 1},
                                                        {300, 7, 5, 6, 42, 1, 7, 3},
                                                        {9, 200, 4, 1, 1, 67, 1, 3}}));
}

} // namespace test
