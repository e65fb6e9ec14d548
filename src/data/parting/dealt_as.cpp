// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parting/dealt_as.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace skelrt::detail
{

namespace
{

struct grid_of_ranks {
    std::size_t rows, cols;
};

/// As square as can be, and not wider than high: few ranks then have whole rows.
grid_of_ranks squarest(unsigned ranks)
{
    unsigned cols = 1;
    for (unsigned n = 1; n * n <= ranks; ++n)
        if (ranks % n == 0) cols = n;
    return {ranks / cols, cols};
}

grid_of_ranks grid_for(const dealing& wish, int rank, unsigned ranks)
{
    const grid_of_ranks lines = rank == 1 ? grid_of_ranks{1, ranks} : grid_of_ranks{ranks, 1};
    if (wish.how == dealing::form::lines) return lines;
    if (wish.grid_rows == 0 && wish.grid_cols == 0) return rank == 2 ? squarest(ranks) : lines;
    if (wish.grid_rows == 0) return {ranks / wish.grid_cols, wish.grid_cols};
    if (wish.grid_cols == 0) return {wish.grid_rows, ranks / wish.grid_rows};
    return {wish.grid_rows, wish.grid_cols};
}

void check_grid(const grid_of_ranks& g, int rank, unsigned ranks)
{
    // Divided, for a product may be too large.
    if (g.rows == 0 || g.cols == 0 || ranks % g.rows != 0 || ranks / g.rows != g.cols)
        throw error(fmt::format("a grid of {} x {} ranks, and the program runs on {}; "
                                "sk::distribution::grid() chooses one for any number of ranks",
                                g.rows, g.cols, ranks));
    if (rank == 1 && g.rows > 1)
        throw error(fmt::format("a grid of {} x {} ranks for a vector, which is one row; write "
                                "sk::distribution::grid(1, {}), or grid()",
                                g.rows, g.cols, ranks));
    if (rank > 2 && g.cols > 1)
        throw error(fmt::format("a grid of {} x {} ranks for a tensor, which is dealt out by planes; "
                                "write sk::distribution::grid({}, 1), or grid()",
                                g.rows, g.cols, ranks));
}

axis_split split(std::size_t extent, std::size_t parts, bool in_turn, std::size_t block)
{
    return {extent, static_cast<unsigned>(parts), in_turn && parts > 1 ? block : 0};
}

} // namespace

void check_blocks(const dealing& wish)
{
    if (wish.in_turn && (wish.block_rows == 0 || wish.block_cols == 0))
        throw error(fmt::format("blocks of {} x {} elements; those of a cyclic distribution have one "
                                "row and one column at least",
                                wish.block_rows, wish.block_cols));
}

parting dealt_as(const dealing& wish, std::size_t rows, std::size_t cols, int rank, unsigned ranks)
{
    check_blocks(wish);
    const grid_of_ranks g = grid_for(wish, rank, ranks);
    check_grid(g, rank, ranks);
    return {split(rows, g.rows, wish.in_turn, wish.block_rows), split(cols, g.cols, wish.in_turn, wish.block_cols)};
}

} // namespace skelrt::detail
