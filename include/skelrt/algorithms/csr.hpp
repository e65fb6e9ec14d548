// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../host.hpp"
#include "detail/own_function.hpp"

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skelrt
{

/// An entry of a sparse matrix.
template <class T>
struct triplet {
    std::size_t row, column;
    T value;
};

namespace detail
{

/// Rows behind each other: where each begins, and the last ends.
struct csr_pattern {
    std::vector<std::uint64_t> row_begin;
    std::vector<std::uint32_t> column;
    std::vector<std::size_t> order; ///< of the entries: entry k is number order[k] of those that were given
};

/// Sorts by rows, and in a row by columns; entries of one place keep their order. Throws error where one is outside.
SKELRT_API csr_pattern pattern_of(std::size_t rows, std::size_t columns, const std::vector<std::size_t>& row,
                                  const std::vector<std::size_t>& column);

/// Rows that somebody has compressed.
struct csr_rows {
    std::vector<std::uint64_t> row_begin;
    std::vector<std::uint32_t> column;
};
/// Throws error unless there are rows + 1 offsets from 0 to the number of values, none below the one in front of it,
/// and as many columns, which the matrix has.
SKELRT_API csr_rows checked_rows(std::size_t rows, std::size_t columns, const std::vector<std::int64_t>& row_begin,
                                 const std::vector<std::int64_t>& column, std::size_t values);

/// Of a container of ours or of the standard library's kind, as another type.
template <class To, class Elements>
std::vector<To> copied_to_host(const Elements& from)
{
    if constexpr (container<Elements>) return copied_to_host<To>(host_read(from));
    else return std::vector<To>(from.begin(), from.end());
}

template <class T>
inline constexpr bool is_sparse_number = std::is_arithmetic_v<T>;
template <std::floating_point T>
inline constexpr bool is_sparse_number<std::complex<T>> = true;

/// Long rows are cut, and their pieces summed once more: one thread, core or block of threads has no whole one of them.
struct row_pieces {
    std::vector<std::uint64_t> begin; ///< where the pieces of all rows begin, and the last ends; empty: none is long
    std::vector<std::uint64_t> first_piece; ///< of each row, and behind the last's
};
/// A row is long beyond 4096 entries and a 4096th of them all.
SKELRT_API row_pieces pieces_of(const std::vector<std::uint64_t>& row_begin);

struct matrix_market {
    std::size_t rows = 0, columns = 0;
    std::vector<std::size_t> row, column;
    std::vector<std::complex<double>> value;
};
/// `complex`: whether entries may be complex numbers.
SKELRT_API matrix_market read_matrix_market_file(const std::string& file, bool complex);

[[noreturn]] SKELRT_API void throw_product(std::size_t rows, std::size_t columns, std::size_t n);
[[noreturn]] SKELRT_API void throw_product(std::size_t rows, std::size_t columns, std::size_t right_rows,
                                           std::size_t right_columns);

/// An element of the product with a vector. Backends know maps with this function in them by its name, and share rows
/// by their entries (codelets/sparse); elsewhere a thread has a row.
template <class T>
struct times_row {
    static constexpr const char* name = "sk::csr";
    static constexpr const char* text = R"((skelrt::index1 row, skelrt::vec<unsigned long> row_begin,
        skelrt::vec<unsigned> column, skelrt::vec<$0> value, skelrt::vec<$0> x) {
    $0 sum = 0;
    const unsigned long end = row_begin[row.i + 1];
    for (unsigned long k = row_begin[row.i]; k < end; ++k) sum += value[k] * x[column[k]];
    return sum;
})";
    T operator()(index1 row, vec<std::uint64_t> row_begin, vec<std::uint32_t> column, vec<T> value, vec<T> x) const
    {
        T sum = 0;
        const std::uint64_t end = row_begin[row.i + 1];
        for (std::uint64_t k = row_begin[row.i]; k < end; ++k) sum += value[k] * x[column[k]];
        return sum;
    }
};

/// An element of the product with a matrix, whose columns are vectors: the same.
template <class T>
struct times_rows {
    static constexpr const char* name = "sk::csr";
    static constexpr const char* text = R"((skelrt::index2 at, skelrt::vec<unsigned long> row_begin,
        skelrt::vec<unsigned> column, skelrt::vec<$0> value, skelrt::mat<$0> x) {
    $0 sum = 0;
    const unsigned long end = row_begin[at.row + 1];
    for (unsigned long k = row_begin[at.row]; k < end; ++k) sum += value[k] * x(column[k], at.col);
    return sum;
})";
    T operator()(index2 at, vec<std::uint64_t> row_begin, vec<std::uint32_t> column, vec<T> value, mat<T> x) const
    {
        T sum = 0;
        const std::uint64_t end = row_begin[at.row + 1];
        for (std::uint64_t k = row_begin[at.row]; k < end; ++k) sum += value[k] * x(column[k], at.col);
        return sum;
    }
};

} // namespace detail

/// A sparse matrix of numbers, which may be complex, in compressed rows: the entries of row r are row_begin()[r] to
/// row_begin()[r + 1].
///
///     const sk::csr<double> a = sk::read_matrix_market<double>("bcsstk01.mtx");
///     y = a * x; // a lazy map call: it nests and fuses
///     const sk::csr<double> at = sk::transpose(a); // for y = at * x, the product of the transpose
///
/// A product with a vector costs O(entries); one with a matrix of c columns, which are as many vectors, O(entries c).
/// Work is shared by entries, not by rows: on GPUs blocks of threads sum rows that have as many entries together
/// (Merrill and Garland, SC 2016; Greathouse and Daga, SC 2014), alone or in a map around the product; cores likewise.
/// In a reduction around it, and of complex numbers, a thread has a row, and a core as many rows as others. The product
/// of a matrix with rows of more than 4096 entries, and of more than a 4096th of all, is two: of the rows in pieces,
/// which is stored, and the sums of those. Each device that takes part has all of the matrix and of x. At most 2^32 - 1
/// columns. Errors (sk::error): entries outside of the matrix; rows that are none; a vector of another length than the
/// matrix has columns, or a matrix of as many rows.
template <class T>
class csr
{
    static_assert(detail::is_sparse_number<T>, "skelrt: a sparse matrix has numbers, which may be complex");

public:
    csr() : row_begin_(1, 0) {}
    /// Entries in any order; those of one place are added up.
    csr(std::size_t rows, std::size_t columns, const std::vector<triplet<T>>& entries) : columns_(columns)
    {
        std::vector<std::size_t> row, column;
        for (const triplet<T>& e : entries) row.push_back(e.row), column.push_back(e.column);
        const detail::csr_pattern sorted = detail::pattern_of(rows, columns, row, column);
        fill_rows(sorted, entries);
    }
    /// Rows that are compressed already, as other libraries have them: where each row begins, and the last one ends;
    /// the column of each entry, in any order within a row; its value. Entries of one place count each. Standard
    /// containers, open host views, or vectors of ours, which are waited for; copied.
    template <class Offsets, class Columns, class Values>
    csr(std::size_t rows, std::size_t columns, const Offsets& row_begin, const Columns& column, const Values& value)
        : columns_(columns)
    {
        auto values = detail::copied_to_host<T>(value);
        auto ready = detail::checked_rows(rows, columns, detail::copied_to_host<std::int64_t>(row_begin),
                                          detail::copied_to_host<std::int64_t>(column), values.size());
        set(ready.row_begin, ready.column, values);
    }

    std::size_t rows() const noexcept { return row_begin_.size() - 1; }
    std::size_t columns() const noexcept { return columns_; }
    std::size_t entries() const noexcept { return value_.size(); }
    const vector<std::uint64_t>& row_begin() const noexcept { return row_begin_; }
    const vector<std::uint32_t>& column() const noexcept { return column_; }
    const vector<T>& value() const noexcept { return value_; }

    /// The product with a matrix: that of each of its columns.
    friend auto operator*(const csr& a, const matrix<T>& x)
    {
        if (x.rows() != a.columns()) detail::throw_product(a.rows(), a.columns(), x.rows(), x.cols());
        if (a.pieces_.size() == 0) return times_rows(a.row_begin_, a.column_, a.value_, x);
        const matrix<T> sums = times_rows(a.pieces_, a.column_, a.value_, x);
        return times_rows(a.first_piece_, a.piece_, a.one_, sums);
    }

    /// The product with a vector, or with a view or call, which is stored first.
    template <class X>
    friend auto operator*(const csr& a, const X& x)
    {
        const auto& held = detail::stored(x);
        if (held.size() != a.columns()) detail::throw_product(a.rows(), a.columns(), held.size());
        if (a.pieces_.size() == 0) return times_row(a.row_begin_, a.column_, a.value_, held);
        const vector<T> sums = times_row(a.pieces_, a.column_, a.value_, held);
        return times_row(a.first_piece_, a.piece_, a.one_, sums);
    }

private:
    using begins = vector<std::uint64_t>;
    using columns_of = vector<std::uint32_t>;
    template <class X>
    static auto times_row(const begins& begin, const columns_of& column, const vector<T>& value, const X& x)
    {
        return map(detail::own_function<detail::times_row<T>, T>())(shape(begin.size() - 1), begin, column, value, x);
    }
    static auto times_rows(const begins& begin, const columns_of& column, const vector<T>& value, const matrix<T>& x)
    {
        return map(detail::own_function<detail::times_rows<T>, T>())(shape(begin.size() - 1, x.cols()), begin, column,
                                                                     value, x);
    }

    void fill_rows(const detail::csr_pattern& sorted, const std::vector<triplet<T>>& entries)
    {
        std::vector<std::uint64_t> begin{0};
        std::vector<std::uint32_t> column;
        std::vector<T> value;
        for (std::size_t r = 0; r + 1 < sorted.row_begin.size(); ++r) {
            for (std::size_t k = sorted.row_begin[r]; k < sorted.row_begin[r + 1]; ++k) {
                const bool again = column.size() > begin.back() && column.back() == sorted.column[k];
                if (again) value.back() = static_cast<T>(value.back() + entries[sorted.order[k]].value);
                else column.push_back(sorted.column[k]), value.push_back(entries[sorted.order[k]].value);
            }
            begin.push_back(column.size());
        }
        set(begin, column, value);
    }

    void set(const std::vector<std::uint64_t>& begin, const std::vector<std::uint32_t>& column,
             const std::vector<T>& value)
    {
        row_begin_ = vector<std::uint64_t>(begin.begin(), begin.end());
        column_ = vector<std::uint32_t>(column.begin(), column.end());
        value_ = vector<T>(value.begin(), value.end());
        cut_long_rows(begin);
    }

    void cut_long_rows(const std::vector<std::uint64_t>& begin)
    {
        const detail::row_pieces pieces = detail::pieces_of(begin);
        if (pieces.begin.empty()) return;
        std::vector<std::uint32_t> piece(pieces.begin.size() - 1);
        for (std::size_t k = 0; k < piece.size(); ++k) piece[k] = static_cast<std::uint32_t>(k);
        pieces_ = begins(pieces.begin.begin(), pieces.begin.end());
        first_piece_ = begins(pieces.first_piece.begin(), pieces.first_piece.end());
        piece_ = columns_of(piece.begin(), piece.end());
        one_ = vector<T>(piece.size(), T(1));
    }

    std::size_t columns_ = 0;
    vector<std::uint64_t> row_begin_;
    vector<std::uint32_t> column_;
    vector<T> value_;
    // Of a matrix with long rows: where pieces begin, and the sparse matrix of ones that sums them.
    vector<std::uint64_t> pieces_, first_piece_;
    vector<std::uint32_t> piece_;
    vector<T> one_;
};

/// The transpose, as a matrix of its own: products with it are as fast as others. Waits for the matrix, and is made on
/// the host: O(entries log entries). Keep it where a loop uses it.
template <class T>
csr<T> transpose(const csr<T>& a)
{
    const auto begin = host_read(a.row_begin());
    const auto old_column = host_read(a.column());
    const auto old_value = host_read(a.value());
    std::vector<std::size_t> row(old_column.begin(), old_column.end()), column;
    for (std::size_t r = 0; r < a.rows(); ++r) column.insert(column.end(), begin[r + 1] - begin[r], r);
    const detail::csr_pattern sorted = detail::pattern_of(a.columns(), a.rows(), row, column);
    std::vector<T> value;
    for (const std::size_t k : sorted.order) value.push_back(old_value[k]);
    return csr<T>(a.columns(), a.rows(), sorted.row_begin, sorted.column, value);
}

/// The matrix of a file of the Matrix Market (https://math.nist.gov/MatrixMarket/formats.html): coordinates of real,
/// integer or pattern entries, or complex ones for complex T; symmetric ones get both halves. Every rank reads the
/// file. Errors (sk::error): what the file is instead, with its line.
template <class T>
csr<T> read_matrix_market(const std::string& file)
{
    constexpr bool complex = !std::is_arithmetic_v<T>;
    const detail::matrix_market from = detail::read_matrix_market_file(file, complex);
    std::vector<triplet<T>> entries;
    for (std::size_t k = 0; k < from.value.size(); ++k) {
        triplet<T> e{from.row[k], from.column[k], {}};
        if constexpr (complex) e.value = T(from.value[k]);
        else e.value = static_cast<T>(from.value[k].real());
        entries.push_back(e);
    }
    return csr<T>(from.rows, from.columns, entries);
}

} // namespace skelrt
