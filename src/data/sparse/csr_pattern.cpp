// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/algorithms/csr.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

/// Compressed sparse rows: where they begin, and the order that brings triplets there.
namespace skelrt::detail
{

csr_pattern pattern_of(std::size_t rows, std::size_t columns, const std::vector<std::size_t>& row,
                       const std::vector<std::size_t>& column)
{
    csr_pattern made;
    made.row_begin.assign(rows + 1, 0);
    made.order.resize(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (row[k] >= rows || column[k] >= columns)
            throw error(fmt::format("sk::csr: entry {} is at ({}, {}), outside of a matrix of {} x {}", k, row[k],
                                    column[k], rows, columns));
        ++made.row_begin[row[k] + 1];
        made.order[k] = k;
    }
    for (std::size_t r = 0; r < rows; ++r) made.row_begin[r + 1] += made.row_begin[r];
    std::ranges::stable_sort(made.order, [&](std::size_t a, std::size_t b) {
        return row[a] != row[b] ? row[a] < row[b] : column[a] < column[b];
    });
    for (const std::size_t k : made.order) made.column.push_back(static_cast<std::uint32_t>(column[k]));
    return made;
}

void throw_product(std::size_t rows, std::size_t columns, std::size_t n)
{
    throw error(fmt::format("sk::csr: a matrix of {} x {} times a vector of {}; the vector has as many elements as the "
                            "matrix has columns",
                            rows, columns, n));
}

void throw_product(std::size_t rows, std::size_t columns, std::size_t right_rows, std::size_t right_columns)
{
    throw error(
        fmt::format("sk::csr: a matrix of {} x {} times a matrix of {} x {}; the second has as many rows as the "
                    "first has columns",
                    rows, columns, right_rows, right_columns));
}

} // namespace skelrt::detail
