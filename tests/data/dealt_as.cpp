// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parting/dealt_as.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

using namespace skelrt::detail;
using Catch::Matchers::Contains;

namespace
{

dealing grid(std::size_t rows, std::size_t cols) { return {dealing::form::grid, rows, cols}; }

dealing in_turn(dealing d, std::size_t rows, std::size_t cols)
{
    d.in_turn = true;
    d.block_rows = rows;
    d.block_cols = cols;
    return d;
}

parting grid_chosen(unsigned ranks) { return dealt_as(grid(0, 0), 100, 100, 2, ranks); }

} // namespace

TEST_CASE("Chosen grids are as square as can be, and few ranks have whole rows")
{
    for (const auto& [ranks, rows, cols] : {std::tuple{1u, 1u, 1u},
                                            {2u, 2u, 1u},
                                            {3u, 3u, 1u},
                                            {4u, 2u, 2u},
                                            {6u, 3u, 2u},
                                            {12u, 4u, 3u},
                                            {64u, 8u, 8u}}) {
        CHECK(grid_chosen(ranks).rows.parts == rows);
        CHECK(grid_chosen(ranks).cols.parts == cols);
    }
    CHECK(dealt_as(grid(0, 3), 9, 9, 2, 6) == dealt_as(grid(2, 3), 9, 9, 2, 6));
    CHECK(dealt_as(grid(2, 0), 9, 9, 2, 6) == dealt_as(grid(2, 3), 9, 9, 2, 6));
}

TEST_CASE("Lines, and grids of one column, are what containers have to begin with")
{
    const dealing lines{dealing::form::lines};
    CHECK(dealt_as(lines, 1, 100, 1, 4) == balanced(1, 100, false, 4));
    CHECK(dealt_as(lines, 30, 100, 2, 4) == balanced(30, 100, true, 4));
    CHECK(dealt_as(grid(4, 1), 30, 100, 2, 4) == balanced(30, 100, true, 4));
    CHECK(dealt_as(grid(0, 0), 1, 100, 1, 4) == balanced(1, 100, false, 4));
    CHECK(dealt_as(grid(0, 0), 30, 100, 3, 4) == balanced(30, 100, true, 4));
    // Blocks on an axis that one rank has alone are one block.
    CHECK(dealt_as(in_turn(grid(4, 1), 8, 8), 30, 100, 2, 4).cols == axis_split{100, 1, 0});
}

TEST_CASE("Bad distributions say what fits")
{
    CHECK_THROWS_WITH(dealt_as(grid(2, 3), 9, 9, 2, 4),
                      Contains("2 x 3 ranks") && Contains("runs on 4") && Contains("sk::distribution::grid()"));
    CHECK_THROWS_WITH(dealt_as(grid(0, 3), 9, 9, 2, 4), Contains("1 x 3 ranks"));
    CHECK_THROWS_WITH(dealt_as(grid(9, 0), 9, 9, 2, 4), Contains("9 x 0 ranks"));
    const std::size_t huge = ~std::size_t{0} / 2 + 1; // their product is 0
    CHECK_THROWS_AS(dealt_as(grid(huge, 2), 9, 9, 2, 4), skelrt::error);
    CHECK_THROWS_WITH(dealt_as(grid(2, 2), 1, 9, 1, 4), Contains("vector") && Contains("grid(1, 4)"));
    CHECK_THROWS_WITH(dealt_as(grid(2, 2), 9, 9, 3, 4), Contains("tensor") && Contains("grid(4, 1)"));
    CHECK_THROWS_WITH(dealt_as(in_turn(grid(2, 2), 0, 64), 9, 9, 2, 4), Contains("0 x 64"));
}
