// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/items/task_call.hpp"
#include "matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace skelrt
{

/// A matrix cut once into blocks of the same size, for tasks: the last ones of rows and columns are smaller. A(i, j) is
/// a view of block (i, j), to be used by tasks and skeleton calls. Tasks would cut the matrix themselves, at the parts
/// that come; this cuts it before, in some 20 us a block, which no task waits for but those that use the block.
///
/// Lifetime: keeps the matrix's data alive, as views do. Copies show the same matrix.
template <class T>
class blocks
{
public:
    /// Throws error for blocks of no rows or columns.
    blocks(matrix<T>& m, std::size_t rows, std::size_t cols)
        : whole_(m.sub(0, 0, m.rows(), m.cols())), block_rows_(rows), block_cols_(cols)
    {
        if (rows == 0 || cols == 0) throw error("sk::blocks: a block has at least one row and one column");
        if (!whole_.empty()) detail::cut_into_blocks(*whole_.storage(), rows, cols);
    }

    /// So many rows and columns of blocks.
    std::size_t rows() const noexcept { return (whole_.rows() + block_rows_ - 1) / block_rows_; }
    std::size_t cols() const noexcept { return (whole_.cols() + block_cols_ - 1) / block_cols_; }
    /// Throws error if there is no such block.
    view2<T> operator()(std::size_t i, std::size_t j, detail::caller where = detail::caller::here()) const
    {
        const std::size_t row = std::min(i * block_rows_, whole_.rows()),
                          col = std::min(j * block_cols_, whole_.cols());
        if (i >= rows()) detail::throw_range(where, "sk::blocks", "rows of blocks", i, 1, {2, rows(), cols()});
        if (j >= cols()) detail::throw_range(where, "sk::blocks", "columns of blocks", j, 1, {2, rows(), cols()});
        return whole_.sub(row, col, std::min(block_rows_, whole_.rows() - row),
                          std::min(block_cols_, whole_.cols() - col), where);
    }

private:
    view2<T> whole_;
    std::size_t block_rows_, block_cols_;
};

} // namespace skelrt
