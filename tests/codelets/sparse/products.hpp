// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../recipes.hpp"

#include <skelrt/algorithms/csr.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

/// Calls with products of sparse matrices in them, as the front end describes them, and what they give.
namespace products
{

using namespace skelrt::detail;
inline const auto behind = USER_FUNCTION((auto sum, auto z) { return 2 * sum + z; });

/// Slots: row_begin, column, value, x, and with `fused` z, of which 2 * sum + z is made; the result.
template <class T>
void describe(recipes::builder& b, bool matrix, bool fused)
{
    const auto kind = matrix ? slot_kind::mat : slot_kind::vec;
    const auto at = matrix ? recipes::at2() : recipes::at1();
    const auto source = matrix ? own_function<times_rows<T>, T>().source() : own_function<times_row<T>, T>().source();
    const slot_type operands[] = {recipes::slot<std::uint64_t>(slot_kind::vec),
                                  recipes::slot<std::uint32_t>(slot_kind::vec), recipes::slot<T>(slot_kind::vec),
                                  recipes::slot<T>(kind)};
    const auto [begin, column, value, x] = operands;
    if (fused) b.slots({begin, column, value, x, recipes::element<T>(), recipes::element<T>()});
    else b.slots({begin, column, value, x, recipes::element<T>()});
    b.call<T>(source, {at, recipes::operand(0), recipes::operand(1), recipes::operand(2), recipes::operand(3)});
    if (fused) b.call<T>(behind, {recipes::result_of(0), recipes::operand(4)});
    b.result<T>();
}

/// Rows of such lengths, with random columns.
template <class T>
struct sparse_matrix {
    std::vector<std::uint64_t> begin{0};
    std::vector<std::uint32_t> column;
    std::vector<T> value;

    sparse_matrix(const std::vector<std::size_t>& lengths, std::size_t columns)
    {
        std::mt19937 random{5};
        for (const std::size_t length : lengths) {
            for (std::size_t k = 0; k < length; ++k) {
                column.push_back(static_cast<std::uint32_t>(random() % columns));
                value.push_back(static_cast<T>(random() % 3));
            }
            begin.push_back(column.size());
        }
    }
    std::size_t rows() const { return begin.size() - 1; }

    /// Times a matrix of `cols` columns, row by row; 2 * product + z if there is one.
    std::vector<T> product(const std::vector<T>& x, std::size_t cols, const std::vector<T>& z) const
    {
        std::vector<T> y(rows() * cols, T(0));
        for (std::size_t r = 0; r < rows(); ++r)
            for (std::size_t c = 0; c < cols; ++c) {
                T& sum = y[r * cols + c];
                for (std::size_t k = begin[r]; k < begin[r + 1]; ++k)
                    sum = static_cast<T>(sum + value[k] * x[column[k] * cols + c]);
                if (!z.empty()) sum = static_cast<T>(2 * sum + z[r * cols + c]);
            }
        return y;
    }
};

/// Small whole numbers, so that sums are exact in whatever order.
template <class T>
std::vector<T> small_numbers(std::size_t n, unsigned below)
{
    std::vector<T> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<T>((i * 7 + 3) % below);
    return all;
}

/// Lengths of `rows` rows: few rows have many entries. Some are empty.
inline std::vector<std::size_t> power_law(std::size_t rows, std::size_t most)
{
    std::mt19937 random{9};
    std::vector<std::size_t> lengths(rows);
    for (std::size_t& n : lengths) n = std::min<std::size_t>(most, (1u << 16) / (1 + random() % (1u << 16)) - 1);
    return lengths;
}

/// Whatever rows can be like.
inline std::vector<std::vector<std::size_t>> all_kinds_of_rows()
{
    std::vector<std::size_t> even(1000, 16), heavy_behind(3000, 1), one_long(2000, 2), long_ones(7, 5000);
    for (std::size_t r = 2900; r < 3000; ++r) heavy_behind[r] = 300;
    one_long[1234] = 100'000;
    return {{1},
            {0},
            std::vector<std::size_t>(5000, 0),
            even,
            heavy_behind,
            one_long,
            long_ones,
            {70'000},
            {0, 3, 0},
            power_law(10'007, 5000)};
}

} // namespace products
