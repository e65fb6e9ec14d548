#include "picture.hpp"

#include "glyphs.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace coulomb;

TEST_CASE("the colours are nearly white at zero, and as dark on both sides", "[picture]")
{
    const auto light = [](colour c) { return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b; };
    CHECK(light(colour_of(0)) > 0.95f);
    for (const float v : {0.25f, 0.5f, 0.75f, 1.0f}) {
        CHECK(light(colour_of(v)) < light(colour_of(v - 0.25f)));
        CHECK(light(colour_of(-v)) < light(colour_of(0.25f - v)));
        CHECK(std::abs(light(colour_of(v)) - light(colour_of(-v))) < 0.1f);
    }
    CHECK(colour_of(-1).b > colour_of(-1).r);
    CHECK(colour_of(1).r > colour_of(1).b);
    CHECK(colour_of(5).r == colour_of(1).r);
}

TEST_CASE("the limit of the colours is a round number that outliers do not move", "[picture]")
{
    slice s{10, 10, std::vector<float>(100, -40.0f)};
    s.values[3] = 1e6f;
    CHECK(colour_limit(s, 0.97) == Approx(50));
    CHECK(colour_limit({2, 2, {0, 0, 0, 0}}, 0.97) == 1);
    CHECK(colour_limit({1, 1, {0.0123f}}, 0.97) == Approx(0.015));
}

TEST_CASE("between the points a slice is smooth, and exact at the points and on planes", "[picture]")
{
    slice s{6, 5, std::vector<float>(30)};
    for (std::size_t y = 0; y < 5; ++y)
        for (std::size_t x = 0; x < 6; ++x)
            s.values[y * 6 + x] = 2.0f * static_cast<float>(x) - 3.0f * static_cast<float>(y);
    CHECK(s.smooth(2, 3) == Approx(s.at(2, 3)));
    CHECK(s.smooth(2.5f, 2.25f) == Approx(2 * 2.5 - 3 * 2.25));
    CHECK(s.smooth(-9, -9) == Approx(s.at(0, 0)));
    CHECK(s.smooth(99, 99) == Approx(s.at(5, 4)));
}

TEST_CASE("every letter of the labels has strokes", "[picture]")
{
    for (const char c : std::string("0123456789.-(),/:=+Coulombpotentialatzkjnmexyps"))
        if (c != 'j') CHECK_FALSE(strokes_of(c).empty());
    CHECK(strokes_of(' ').empty());
    CHECK(canvas::text_width("11", 12) == 2 * canvas::text_width("1", 12));
}

TEST_CASE("what is drawn outside the canvas is left out", "[picture]")
{
    canvas c(8, 8, {1, 1, 1});
    c.line({-50, 4}, {50, 4}, 2, {0, 0, 0});
    c.disc({100, 100}, 5, {0, 0, 0});
    CHECK(c.at(4, 4).r < 0.1f);
    CHECK(c.at(0, 0).r == 1);
}

TEST_CASE("a picture is a PNG file, or an error that names it", "[picture]")
{
    const auto file = std::filesystem::temp_directory_path() / ("coulomb_picture_" + std::to_string(getpid()) + ".png");
    const molecule m{"one", {{{0.1, 0.1, 0.1}, 1.0, 'O'}}, {1, 1, 1}};
    const grid g(surroundings(m), {7, 5, 3});
    std::vector<float> values(g.points(), 2.0f);
    values[20] = -3.0f;
    draw(file, g, values, m, 1);
    std::ifstream in(file, std::ios::binary);
    std::string head(8, ' ');
    in.read(head.data(), 8);
    CHECK(head == "\x89PNG\r\n\x1a\n");
    std::filesystem::remove(file);
    CHECK_THROWS_WITH(draw("/nowhere/at/all.png", g, values, m, 1), Catch::Contains("/nowhere/at/all.png"));
}
