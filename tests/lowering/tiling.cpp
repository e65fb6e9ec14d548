// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/managed.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

std::size_t tiles(std::size_t rows, std::size_t cols, std::size_t element, bool matrix, std::size_t wanted,
                  const tile_limits& limits = {std::size_t{1} << 20})
{
    storage s;
    s.rows = rows;
    s.cols = cols;
    s.element_size = static_cast<std::uint32_t>(element);
    s.whole_rows = matrix;
    const std::size_t per_tile = choose_tile_elements(s, wanted, limits);
    REQUIRE(per_tile > 0);
    if (matrix) REQUIRE(per_tile % cols == 0);
    return (s.count() + per_tile - 1) / per_tile;
}

} // namespace

TEST_CASE("small containers are one tile, large ones at most 32", "[tiling]")
{
    REQUIRE(tiles(1, 1, 4, false, 0) == 1);
    REQUIRE(tiles(1, 100'000, 4, false, 0) == 1);
    REQUIRE(tiles(1, std::size_t{1} << 20, 4, false, 0) == 4);
    REQUIRE(tiles(1, std::size_t{1} << 33, 4, false, 0) == 32);
    REQUIRE(tiles(8192, 8192, 4, true, 0) == 32);
}

TEST_CASE("tiles are small enough for small memories", "[tiling]")
{
    const std::size_t mib = std::size_t{1} << 20;
    REQUIRE(tiles(1, 24 * mib, 4, false, 0, {2 * mib, 2 * mib}) == 48);
    REQUIRE(tiles(1, 1000, 4, false, 0, {2 * mib, 2 * mib}) == 1);
    REQUIRE(tiles(3, 100 * mib, 1, true, 0, {2 * mib, 2 * mib}) == 3); // a row is never cut
    REQUIRE(tiles(1, 12 * mib, 4, false, 0, {}) == 4);
}

TEST_CASE("matrices are cut between blocks of 128 rows", "[tiling]")
{
    storage s;
    s.rows = s.cols = 8192;
    s.element_size = 4;
    s.whole_rows = true;
    REQUIRE(choose_tile_elements(s, 0, {}) == 384 * 8192); // 12 MiB
    REQUIRE(tiles(8192, 8192, 4, true, 0, {}) == 22);
    s.rows = 3072;
    s.cols = 4096;
    REQUIRE(choose_tile_elements(s, 0, {}) == 768 * 4096);
    s.rows = 100;
    s.cols = 1 << 20;
    REQUIRE(choose_tile_elements(s, 0, {}) == 4 * s.cols); // larger rows
}

TEST_CASE("what has no elements, such as the share of a rank, has tiles of some size", "[tiling]")
{
    for (std::size_t wanted : {0, 7}) {
        REQUIRE(tiles(1, 0, 4, false, wanted) == 0);
        REQUIRE(tiles(0, 5, 4, true, wanted) == 0);
    }
    storage s;
    s.whole_rows = true;
    REQUIRE(choose_tile_elements(s, 7, {}) == 1);
}

TEST_CASE("small matrices are one tile, whatever their rows", "[tiling]")
{
    const std::size_t rows = GENERATE(range(1, 1200));
    REQUIRE(tiles(rows, 200, 4, true, 0) == 1);
}

TEST_CASE("never more tiles than elements or rows", "[tiling]")
{
    REQUIRE(tiles(1, 3, 4, false, 64) == 3);
    REQUIRE(tiles(2, 1000, 4, true, 64) == 2);
    REQUIRE(tiles(1, 1'000'000'000, 8, true, 7) == 1);
    REQUIRE(tiles(1, 100, 4, false, 7) == 7);
}
