// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/segments.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace skelrt::detail;

namespace
{

std::size_t tile_of(const cut_operand& o, std::size_t position)
{
    return (o.offset + position * o.step) / o.tile_elements;
}

} // namespace

TEST_CASE("aligned operands are cut at their tiles", "[segments]")
{
    const cut_operand operands[] = {{0, 1, 100}, {0, 1, 100}};
    REQUIRE(cut_axis(250, operands) == std::vector<std::size_t>{0, 100, 200, 250});
}

TEST_CASE("a shifted operand adds its own cuts", "[segments]")
{
    const cut_operand operands[] = {{0, 1, 100}, {1, 1, 100}};
    REQUIRE(cut_axis(199, operands) == std::vector<std::size_t>{0, 99, 100, 199});
}

TEST_CASE("a column is cut where its rows' tiles end", "[segments]")
{
    const cut_operand column[] = {{3, 10, 40}}; // ten columns, four rows a tile
    REQUIRE(cut_axis(9, column) == std::vector<std::size_t>{0, 4, 8, 9});
}

TEST_CASE("nothing to cut", "[segments]")
{
    REQUIRE(cut_axis(0, {}) == std::vector<std::size_t>{0});
    REQUIRE(cut_axis(5, {}) == std::vector<std::size_t>{0, 5});
}

TEST_CASE("no segment spans two tiles, and no cut is idle", "[segments]")
{
    std::mt19937 random(7);
    const auto upto = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n)(random); };
    for (int round = 0; round < 2000; ++round) {
        const std::size_t extent = 1 + upto(500);
        std::vector<cut_operand> operands;
        for (std::size_t k = 0; k <= upto(3); ++k) {
            const std::size_t step = 1 + upto(9);
            if (upto(1) > 0) operands.push_back({upto(50), step, 1 + upto(120)});
            else operands.push_back({upto(50) + extent * step, 0 - step, 1 + upto(120)}); // backwards
        }
        const auto cuts = cut_axis(extent, operands);
        REQUIRE(cuts.front() == 0);
        REQUIRE(cuts.back() == extent);
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            REQUIRE(cuts[i] < cuts[i + 1]);
            for (const cut_operand& o : operands) REQUIRE(tile_of(o, cuts[i]) == tile_of(o, cuts[i + 1] - 1));
            if (i == 0) continue;
            bool needed = false;
            for (const cut_operand& o : operands) needed = needed || tile_of(o, cuts[i] - 1) != tile_of(o, cuts[i]);
            REQUIRE(needed);
        }
    }
}
