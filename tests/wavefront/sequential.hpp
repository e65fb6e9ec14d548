// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../conformance/support.hpp"

#include <cstddef>
#include <vector>

/// Wavefronts as plain loops.
namespace test
{

/// `f(row, col, left, above, diagonal)` at all positions, `outside(row + 1, col + 1)` beyond the first row and column:
/// that of (0, 0) is the corner.
template <class T, class F, class Outside>
std::vector<T> sequential(std::size_t rows, std::size_t cols, F f, Outside outside)
{
    std::vector<T> all((rows + 1) * (cols + 1), outside(0, 0));
    const auto at = [&](std::size_t r, std::size_t c) -> T& { return all[r * (cols + 1) + c]; };
    for (std::size_t r = 0; r <= rows; ++r) at(r, 0) = outside(r, 0);
    for (std::size_t c = 0; c <= cols; ++c) at(0, c) = outside(0, c);
    std::vector<T> inside;
    for (std::size_t r = 1; r <= rows; ++r)
        for (std::size_t c = 1; c <= cols; ++c) {
            at(r, c) = f(r - 1, c - 1, at(r, c - 1), at(r - 1, c), at(r - 1, c - 1));
            inside.push_back(at(r, c));
        }
    return inside;
}

/// `outside` as the edges of a call.
template <class T, class Outside>
sk::edges<T> edges_of(std::size_t rows, std::size_t cols, Outside outside)
{
    std::vector<T> above, left;
    for (std::size_t c = 0; c < cols; ++c) above.push_back(outside(0, c + 1));
    for (std::size_t r = 0; r < rows; ++r) left.push_back(outside(r + 1, 0));
    return sk::edges(vector_of(above), vector_of(left), outside(0, 0));
}

/// Nothing, lines, primes, tall, wide, and more than a tile of any device has.
inline auto matrices()
{
    return GENERATE(table<std::size_t, std::size_t>({{0, 0},
                                                     {0, 5},
                                                     {5, 0},
                                                     {1, 1},
                                                     {1, 777},
                                                     {777, 1},
                                                     {2, 3},
                                                     {3, 2},
                                                     {5, 4},
                                                     {31, 33},
                                                     {127, 131},
                                                     {128, 64},
                                                     {129, 65},
                                                     {1009, 251},
                                                     {4001, 7},
                                                     {9, 5003},
                                                     {1000, 1000}}));
}

/// As many as wanted of a few letters.
inline std::vector<char> letters(std::size_t n, unsigned seed)
{
    std::vector<char> text;
    for (const int v : numbers<int>(n, seed)) text.push_back(static_cast<char>('a' + v % 4));
    return text;
}

} // namespace test
