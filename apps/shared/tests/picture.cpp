// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/picture/glyphs.hpp"
#include "apps/shared/picture/plot.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

using namespace apps;

namespace
{

float lightness(colour c) { return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b; }

} // namespace

TEST_CASE("blue to red is nearly white in the middle, and as dark on both sides", "[colours]")
{
    CHECK(lightness(blue_to_red(0.5f)) > 0.95f);
    for (const float v : {0.125f, 0.25f, 0.375f, 0.5f}) {
        CHECK(lightness(blue_to_red(0.5f + v)) < lightness(blue_to_red(0.375f + v)));
        CHECK(lightness(blue_to_red(0.5f - v)) < lightness(blue_to_red(0.625f - v)));
        CHECK(std::abs(lightness(blue_to_red(0.5f + v)) - lightness(blue_to_red(0.5f - v))) < 0.1f);
    }
    CHECK(blue_to_red(0).b > blue_to_red(0).r);
    CHECK(blue_to_red(1).r > blue_to_red(1).b);
    CHECK(blue_to_red(5).r == blue_to_red(1).r);
}

TEST_CASE("dark to light becomes lighter all the way", "[colours]")
{
    for (int i = 0; i < 32; ++i)
        CHECK(lightness(dark_to_light(static_cast<float>(i) / 32)) <
              lightness(dark_to_light(static_cast<float>(i + 1) / 32)));
}

TEST_CASE("the limit of the colours is a round number that outliers do not move", "[plot]")
{
    field f{10, 10, std::vector<float>(100, -40.0f)};
    f.values[3] = 1e6f;
    CHECK(colour_limit(f, 0.97) == Approx(50));
    CHECK(colour_limit({2, 2, {0, 0, 0, 0}}, 0.97) == 1);
    CHECK(colour_limit({1, 1, {0.0123f}}, 0.97) == Approx(0.015));
}

TEST_CASE("between the points a field is smooth, and exact at the points and on planes", "[plot]")
{
    field f{6, 5, std::vector<float>(30)};
    for (std::size_t y = 0; y < 5; ++y)
        for (std::size_t x = 0; x < 6; ++x)
            f.values[y * 6 + x] = 2.0f * static_cast<float>(x) - 3.0f * static_cast<float>(y);
    CHECK(f.smooth(2, 3) == Approx(f.at(2, 3)));
    CHECK(f.smooth(2.5f, 2.25f) == Approx(2 * 2.5 - 3 * 2.25));
    CHECK(f.smooth(-9, -9) == Approx(f.at(0, 0)));
    CHECK(f.smooth(99, 99) == Approx(f.at(5, 4)));
}

TEST_CASE("a plot has y upwards and the scale's colours", "[plot]")
{
    const field f{2, 2, {0, 0, 1, 1}};
    plot p(f, {"x", 0, 2}, {"y", 0, 2}, {0, 1, dark_to_light, 0});
    const auto colour_at = [&](double x, double y) {
        const point at = p.pixel_of(x, y);
        return lightness(p.picture().at(static_cast<int>(at.x), static_cast<int>(at.y)));
    };
    CHECK(colour_at(1, 1.9) > 0.9f);
    CHECK(colour_at(1, 0.1) < 0.1f);
    CHECK(p.inside(p.pixel_of(1, 1)));
    CHECK_FALSE(p.inside(p.pixel_of(3, 1)));
    const image finished = p.finished({"title", "detail", "unit"});
    CHECK(finished.width == static_cast<std::size_t>(p.picture().width()));
}

TEST_CASE("every letter of the labels has strokes", "[glyphs]")
{
    for (const char c : std::string("0123456789.-(),/:=+_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        CHECK_FALSE(strokes_of(c).empty());
    CHECK(strokes_of(' ').empty());
    CHECK(canvas::text_width("11", 12) == 2 * canvas::text_width("1", 12));
}

TEST_CASE("what is drawn outside the canvas is left out", "[canvas]")
{
    canvas c(8, 8, {1, 1, 1});
    c.line({-50, 4}, {50, 4}, 2, {0, 0, 0});
    c.disc({100, 100}, 5, {0, 0, 0});
    CHECK(c.at(4, 4).r < 0.1f);
    CHECK(c.at(0, 0).r == 1);
}
