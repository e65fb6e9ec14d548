// SPDX-License-Identifier: BSD-3-Clause
#include "picture.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <unistd.h>

using namespace coulomb;

TEST_CASE("a picture is a PNG file, or an error that names it", "[picture]")
{
    const auto file = std::filesystem::temp_directory_path() / ("coulomb_picture_" + std::to_string(getpid()) + ".png");
    const molecule m{"one", {{{0.1, 0.1, 0.1}, 1.0, 'O'}}, {1, 1, 1}};
    const grid g(surroundings(m), {7, 5, 3});
    std::vector<float> values(g.points(), 2.0f);
    values[20] = -3.0f;
    draw(file, g, values, m, 1);
    CHECK(apps::read_png(file).width > 840);
    std::filesystem::remove(file);
    CHECK_THROWS_WITH(draw("/nowhere/at/all.png", g, values, m, 1), Catch::Contains("/nowhere/at/all.png"));
}

TEST_CASE("a slice is one z of the grid", "[picture]")
{
    const grid g({{0, 0, 0}, {1, 1, 1}}, {3, 2, 2});
    const std::vector<float> values{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15};
    CHECK(slice_of(g, values, 1).at(2, 1) == 15);
    CHECK(slice_of(g, values, 0).at(0, 1) == 3);
}
