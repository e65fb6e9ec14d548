// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <cstddef>

namespace blur
{

using values = std::vector<double>;

namespace
{

std::size_t within(std::ptrdiff_t i, std::size_t n)
{
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, static_cast<std::ptrdiff_t>(n) - 1));
}

/// One weighted row of `from` after the other is added to each row of the result.
values down_columns(const values& from, const weights& w, std::size_t rows, std::size_t cols)
{
    values to(from.size(), 0.0);
    for (std::size_t row = 0; row < rows; ++row)
        for (int k = -radius; k <= radius; ++k) {
            const double* other = &from[within(static_cast<std::ptrdiff_t>(row) + k, rows) * cols];
            const double weight = static_cast<double>(w[static_cast<std::size_t>(k + radius)]);
            for (std::size_t col = 0; col < cols; ++col) to[row * cols + col] += weight * other[col];
        }
    return to;
}

values along_rows(const values& from, const weights& w, std::size_t rows, std::size_t cols)
{
    values to(from.size()), padded(cols + 2 * radius);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < padded.size(); ++i)
            padded[i] = from[row * cols + within(static_cast<std::ptrdiff_t>(i) - radius, cols)];
        for (std::size_t col = 0; col < cols; ++col) {
            double sum = 0;
            for (std::size_t k = 0; k < 2 * radius + 1; ++k) sum += static_cast<double>(w[k]) * padded[col + k];
            to[row * cols + col] = sum;
        }
    }
    return to;
}

} // namespace

values plain_blurred(const plane& source, const weights& w, int times)
{
    const auto from = skelrt::host_read(source);
    values now(from.begin(), from.end());
    for (int k = 0; k < times; ++k)
        now = down_columns(along_rows(now, w, source.rows(), source.cols()), w, source.rows(), source.cols());
    return now;
}

} // namespace blur
