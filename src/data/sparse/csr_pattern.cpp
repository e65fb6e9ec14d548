// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/algorithms/csr.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

/// Compressed sparse rows: where they begin, and the order that brings triplets there.
namespace skelrt::detail
{
namespace
{

void check_columns(std::size_t columns)
{
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    if (columns > most)
        throw error(
            fmt::format("sk::csr: {} columns; a sparse matrix has at most {}; transpose it, or cut it", columns, most));
}

void check_offsets(std::size_t rows, const std::vector<std::int64_t>& row_begin, std::size_t values)
{
    if (row_begin.size() != rows + 1)
        throw error(
            fmt::format("sk::csr: {} offsets for {} rows; there is one for each row, and one where the last row "
                        "ends",
                        row_begin.size(), rows));
    for (std::size_t r = 0; r < rows; ++r)
        if (row_begin[r] > row_begin[r + 1])
            throw error(fmt::format("sk::csr: row {} begins at entry {} and ends at {}; offsets never fall", r,
                                    row_begin[r], row_begin[r + 1]));
    if (row_begin.front() != 0 || static_cast<std::size_t>(row_begin.back()) != values)
        throw error(fmt::format("sk::csr: the rows are entries {} to {}, but there are {} values; offsets begin with 0 "
                                "and end with the number of values",
                                row_begin.front(), row_begin.back(), values));
}

} // namespace

csr_rows checked_rows(std::size_t rows, std::size_t columns, const std::vector<std::int64_t>& row_begin,
                      const std::vector<std::int64_t>& column, std::size_t values)
{
    check_columns(columns);
    check_offsets(rows, row_begin, values);
    if (column.size() != values)
        throw error(fmt::format("sk::csr: {} columns of entries, but {} values; each entry has one of both",
                                column.size(), values));
    for (std::size_t k = 0; k < column.size(); ++k)
        if (column[k] < 0 || static_cast<std::size_t>(column[k]) >= columns)
            throw error(fmt::format("sk::csr: entry {} is in column {}, outside of a matrix of {} x {}; columns count "
                                    "from 0",
                                    k, column[k], rows, columns));
    return {{row_begin.begin(), row_begin.end()}, {column.begin(), column.end()}};
}

csr_pattern pattern_of(std::size_t rows, std::size_t columns, const std::vector<std::size_t>& row,
                       const std::vector<std::size_t>& column)
{
    check_columns(columns);
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
