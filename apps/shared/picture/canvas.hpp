// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "image.hpp"

#include <string_view>
#include <vector>

namespace apps
{

struct colour {
    float r, g, b; ///< sRGB, 0 to 1
};

struct point {
    float x, y; ///< pixels from the upper left corner; the middle of the first pixel is 0.5, 0.5
};

/// A picture in memory, and what we draw with: everything has smooth edges.
class canvas
{
public:
    canvas(int width, int height, colour background);

    int width() const { return width_; }
    int height() const { return height_; }
    colour at(int x, int y) const;
    /// Mixes `c` into one pixel; weight 0 to 1. Outside the picture nothing happens.
    void mix(int x, int y, colour c, float weight);
    void rectangle(point upper_left, point lower_right, colour c);
    void line(point from, point to, float thickness, colour c);
    void disc(point middle, float radius, colour c, float weight = 1);

    /// Text with `height` of a capital letter; its lower left corner is `at`. Unknown letters are blanks.
    void text(point at, std::string_view text, float height, colour c);
    static float text_width(std::string_view text, float height);

    /// With 8 bits a colour.
    image finished() const;

private:
    int width_, height_;
    std::vector<float> values_; // r, g, b per pixel
};

} // namespace apps
