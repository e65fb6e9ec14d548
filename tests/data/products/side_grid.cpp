// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/side_grid.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace skelrt::detail;

namespace
{

/// Whether a packed copy of the part has each element where the steps say.
bool is_right(const side_place& p, const side_grid& g, const position_runs& rows, const position_run& k)
{
    const element_grid part = g.part(rows, k);
    std::vector<std::size_t> packed;
    for (const position_run& r : part.rows)
        for (std::size_t i = r.first; i < r.end(); ++i)
            for (const position_run& c : part.cols)
                for (std::size_t j = c.first; j < c.end(); ++j) packed.push_back(i * p.width + j);
    const std::size_t of_row = g.step(g.rows, part.width()), of_k = g.step(g.ks, part.width());
    std::size_t local = 0;
    for (const position_run& r : rows)
        for (std::size_t i = r.first; i < r.end(); ++i, ++local)
            for (std::size_t n = 0; n < k.count; ++n)
                if (packed.at(local * of_row + n * of_k) != p.offset + i * p.of_row + (k.first + n) * p.of_k)
                    return false;
    return true;
}

} // namespace

TEST_CASE("sides are rectangles of their containers", "[products]")
{
    const position_runs rows{{1, 2}, {5, 3}};
    const position_run k{2, 4};
    const side_place places[] = {
        {0, 10, 1, 10},  // a matrix
        {23, 10, 1, 10}, // a part of one
        {12, 1, 10, 10}, // transposed
        {3, 1, 0, 40},   // a vector's element for each row
        {5, 0, 1, 40},   // a vector for all rows
        {4, 1, 0, 1},    // the column of a matrix of one
    };
    for (const side_place& p : places) {
        CAPTURE(p.offset, p.of_row, p.of_k, p.width);
        const auto g = as_grid(p, 8, 6);
        REQUIRE(g);
        CHECK(is_right(p, *g, rows, k));
    }
}

TEST_CASE("what is no rectangle is none", "[products]")
{
    CHECK_FALSE(as_grid({0, 20, 1, 10}, 8, 6)); // every other row
    CHECK_FALSE(as_grid({7, 10, 1, 10}, 8, 6)); // beyond a row's end
    CHECK_FALSE(as_grid({0, 1, 1, 40}, 8, 6));  // a diagonal
    CHECK(as_grid({0, 20, 1, 10}, 1, 6));       // of one row nobody sees the step
}

TEST_CASE("a part is used where it lies", "[products]")
{
    const element_grid held{{{4, 3}, {12, 3}}, {{10, 6}}};
    CHECK(place_in(held, {{{4, 3}}, {{12, 2}}}) == 2);
    CHECK(place_in(held, {{{5, 1}}, {{10, 6}}}) == 6);
    CHECK(place_in(held, {{{4, 3}, {12, 3}}, {{10, 1}}}) == 0); // one behind the other, here
    CHECK_FALSE(place_in(held, {{{4, 4}}, {{10, 1}}}));
    CHECK_FALSE(place_in(held, {{{4, 1}, {6, 1}}, {{10, 1}}}));
    CHECK_FALSE(place_in({}, held));
}
