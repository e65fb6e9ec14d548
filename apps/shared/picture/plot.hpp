// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "canvas.hpp"
#include "colours.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace apps
{

/// Values at the middles of equal cells, x fastest; y goes upwards.
struct field {
    std::size_t nx = 0, ny = 0;
    std::vector<float> values;
    float at(std::size_t x, std::size_t y) const { return values[y * nx + x]; }
    /// Between the points: Catmull-Rom in both directions; the edge goes on beyond the edge.
    float smooth(float x, float y) const;
};

/// The magnitude below which `share` (0 to 1) of the values lie, rounded up to 1, 1.5, 2, 3, 5 or 7 times a power of
/// ten: a few extreme points should not leave the rest without colour.
float colour_limit(const field& values, double share);

struct axis {
    std::string label;
    double low = 0, high = 1; ///< the outer edges of the first and the last cell
};

struct plot_words {
    std::string title, detail; ///< the detail stands below the title, smaller
    std::string unit;          ///< above the colour bar
};

/// The values that get the first and the last colour, and the palette between them.
struct colour_scale {
    float low = 0, high = 1;
    palette colours = dark_to_light;
    int lines = 0; ///< contour lines between low and high; 0: none
};

/// A field in colours with contour lines, axes, a title and a colour bar. The constructor draws the values; then the
/// caller may draw onto them, and finished() puts the frame and the text around it.
class plot
{
public:
    plot(const field& values, const axis& x, const axis& y, const colour_scale& scale);

    canvas& picture() { return picture_; }
    point pixel_of(double x, double y) const;
    float pixels_per_x() const { return width_ / static_cast<float>(x_.high - x_.low); }
    bool inside(point p) const;
    image finished(const plot_words& words);

    static constexpr colour ink{0.13f, 0.14f, 0.17f}, paper{0.985f, 0.985f, 0.98f}, faint{0.45f, 0.47f, 0.50f};

private:
    float value_at(float px, float py) const;
    float contour(float value, float slope) const;
    void draw_values();
    void draw_axes();
    void draw_colour_bar(const std::string& unit);
    void frame(point a, point b);
    void centred(point p, const std::string& text, float height, colour c);

    const field& values_;
    axis x_, y_;
    colour_scale scale_;
    float width_, height_;
    canvas picture_;
};

/// Values from nothing upwards, dark to light with ten contour lines; the longer side is 1. As many
/// of the values as `share` says have a colour of their own: see colour_limit().
image plot_of(const field& values, const plot_words& words, double share = 1);

} // namespace apps
