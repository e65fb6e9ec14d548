// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

namespace matmul
{
namespace
{

// What else is asked.
struct place {
    std::size_t row, col;
};

/// The corners first: they are where a wrong split shows first.
place place_number(std::size_t k, std::size_t rows, std::size_t cols, std::mt19937_64& random)
{
    if (k < 4) return {k / 2 * (rows - 1), k % 2 * (cols - 1)};
    const std::size_t row = random() % rows;
    return {row, random() % cols};
}

} // namespace

// The problem.
matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed)
{
    matrix result(rows, cols, skelrt::uninitialized);
    std::mt19937_64 random(seed);
    const auto to = skelrt::host_write(result);
    for (float& v : to) v = static_cast<float>(static_cast<std::int32_t>(random() >> 32)) * 0x1p-31f;
    return result;
}

// The computation.
apps::comparison compare(const matrix& c, const matrix& a, const matrix& b, std::size_t samples)
{
    const auto left = skelrt::host_read(a), right = skelrt::host_read(b), got = skelrt::host_read(c);
    apps::comparison result{tolerance};
    std::mt19937_64 random(1969);
    for (std::size_t k = 0; k < std::min(samples, 4 + c.size()); ++k) {
        const auto [row, col] = place_number(k, c.rows(), c.cols(), random);
        double sum = 0, magnitude = 0;
        for (std::size_t i = 0; i < a.cols(); ++i) {
            const double term = static_cast<double>(left(row, i)) * static_cast<double>(right(i, col));
            sum += term;
            magnitude += std::abs(term);
        }
        result.add(static_cast<double>(got(row, col)), sum, magnitude,
                   [row = row, col = col] { return fmt::format("row {}, column {}", row, col); });
    }
    return result;
}

} // namespace matmul
