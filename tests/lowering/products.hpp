// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

/// Products of matrices by plain loops. Values are small whole numbers: exact in floats, in any order.
namespace products
{

struct shape {
    std::size_t rows, cols, depth;
};

template <class T>
std::vector<T> signed_numbers(std::size_t n, unsigned seed)
{
    std::vector<T> all(n);
    const auto number = [&](std::size_t i) { return static_cast<float>(static_cast<int>(i * seed % 11) - 5); };
    for (std::size_t i = 0; i < n; ++i)
        if constexpr (requires(T v) { v.imag(); }) all[i] = T(number(i), number(i + 3));
        else all[i] = static_cast<T>(number(i));
    return all;
}

template <class T>
std::vector<T> transposed(const std::vector<T>& m, std::size_t rows, std::size_t cols)
{
    std::vector<T> all(m.size());
    for (std::size_t i = 0; i < m.size(); ++i) all[i % cols * rows + i / cols] = m[i];
    return all;
}

/// Of the rows of a with the rows of b.
template <class T>
std::vector<T> reference(const std::vector<T>& a, const std::vector<T>& b, const shape& s, T start)
{
    std::vector<T> c(s.rows * s.cols, start);
    for (std::size_t i = 0; i < s.rows; ++i)
        for (std::size_t j = 0; j < s.cols; ++j)
            for (std::size_t k = 0; k < s.depth; ++k) c[i * s.cols + j] += a[i * s.depth + k] * b[j * s.depth + k];
    return c;
}

} // namespace products
