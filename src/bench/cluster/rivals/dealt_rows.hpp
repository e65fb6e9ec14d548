// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/cluster/world.hpp"
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"

#include <algorithm>
#include <cstddef>

namespace bench
{

/// What a rank has of n things that are dealt out in blocks whose sizes differ by at most one, as skelrt does.
struct block_of {
    block_of(std::size_t n, int rank, int ranks)
        : first(n / static_cast<std::size_t>(ranks) * static_cast<std::size_t>(rank) +
                std::min(static_cast<std::size_t>(rank), n % static_cast<std::size_t>(ranks))),
          count(n / static_cast<std::size_t>(ranks) +
                (static_cast<std::size_t>(rank) < n % static_cast<std::size_t>(ranks) ? 1 : 0))
    {
    }

    std::size_t first, count;
};

/// A rival's rows of a matrix, with `reach` rows of its neighbours before and after them, and `reach` columns on both
/// sides of each; zeros at first. Pages are touched by the threads that compute there.
class dealt_rows
{
public:
    dealt_rows(const world& all, rival_team& team, std::size_t rows, std::size_t cols, std::size_t reach);

    std::size_t first() const { return rows_.first; } ///< row 0 here is this row of the matrix
    std::size_t rows() const { return rows_.count; }
    std::size_t cols() const { return cols_; }
    std::size_t reach() const { return reach_; }
    std::size_t line() const { return cols_ + 2 * reach_; } ///< elements from a row to the next
    /// From -reach() to rows() + reach() - 1.
    double* row(std::ptrdiff_t r) { return data_.get() + place(r); }
    const double* row(std::ptrdiff_t r) const { return data_.get() + place(r); }

private:
    std::size_t place(std::ptrdiff_t r) const
    {
        return static_cast<std::size_t>(r + static_cast<std::ptrdiff_t>(reach_)) * line() + reach_;
    }

    block_of rows_;
    std::size_t cols_, reach_;
    host_array<double> data_;
};

} // namespace bench
