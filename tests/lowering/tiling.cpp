#include "src/data/managed.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

std::size_t tiles(std::size_t rows, std::size_t cols, std::size_t element, bool matrix, std::size_t wanted)
{
    storage s;
    s.rows = rows;
    s.cols = cols;
    s.element_size = static_cast<std::uint32_t>(element);
    s.whole_rows = matrix;
    const std::size_t per_tile = choose_tile_elements(s, wanted);
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

TEST_CASE("never more tiles than elements or rows", "[tiling]")
{
    REQUIRE(tiles(1, 3, 4, false, 64) == 3);
    REQUIRE(tiles(2, 1000, 4, true, 64) == 2);
    REQUIRE(tiles(1, 1'000'000'000, 8, true, 7) == 1);
    REQUIRE(tiles(1, 100, 4, false, 7) == 7);
}
