// SPDX-License-Identifier: BSD-3-Clause
#include "canvas.hpp"

#include "glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace apps
{
namespace
{

float distance(point p, point a, point b)
{
    const float dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const float t = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0f, 1.0f) : 0.0f;
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// How much of a pixel is within a shape whose edge is `outside` pixels away from the pixel's middle.
float coverage(float outside) { return std::clamp(0.5f - outside, 0.0f, 1.0f); }

} // namespace

canvas::canvas(int width, int height, colour background)
    : width_(width), height_(height), values_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) mix(x, y, background, 1);
}

colour canvas::at(int x, int y) const
{
    const float* v =
        &values_[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)) * 3];
    return {v[0], v[1], v[2]};
}

void canvas::mix(int x, int y, colour c, float weight)
{
    if (x < 0 || y < 0 || x >= width_ || y >= height_ || weight <= 0) return;
    float* v =
        &values_[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)) * 3];
    v[0] += weight * (c.r - v[0]);
    v[1] += weight * (c.g - v[1]);
    v[2] += weight * (c.b - v[2]);
}

void canvas::rectangle(point a, point b, colour c)
{
    for (int y = static_cast<int>(a.y); y < static_cast<int>(b.y); ++y)
        for (int x = static_cast<int>(a.x); x < static_cast<int>(b.x); ++x) mix(x, y, c, 1);
}

void canvas::line(point a, point b, float thickness, colour c)
{
    const float reach = 0.5f * thickness + 1;
    const int x0 = static_cast<int>(std::floor(std::min(a.x, b.x) - reach)),
              x1 = static_cast<int>(std::max(a.x, b.x) + reach);
    const int y0 = static_cast<int>(std::floor(std::min(a.y, b.y) - reach)),
              y1 = static_cast<int>(std::max(a.y, b.y) + reach);
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) {
            const point p{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f};
            mix(x, y, c, coverage(distance(p, a, b) - 0.5f * thickness));
        }
}

void canvas::disc(point m, float radius, colour c, float weight)
{
    const int reach = static_cast<int>(radius) + 2;
    for (int y = static_cast<int>(m.y) - reach; y <= static_cast<int>(m.y) + reach; ++y)
        for (int x = static_cast<int>(m.x) - reach; x <= static_cast<int>(m.x) + reach; ++x) {
            const float away = std::hypot(static_cast<float>(x) + 0.5f - m.x, static_cast<float>(y) + 0.5f - m.y);
            mix(x, y, c, weight * coverage(away - radius));
        }
}

void canvas::text(point at, std::string_view text, float height, colour c)
{
    const float unit = height / glyph_height;
    for (const char letter : text) {
        for (const auto& s : strokes_of(letter)) {
            const auto place = [&](glyph_point p) {
                return point{at.x + p.x * unit, at.y - (glyph_height - p.y) * unit};
            };
            line(place(s.from), place(s.to), std::max(1.1f, 0.14f * height), c);
        }
        at.x += glyph_advance(letter) * unit;
    }
}

float canvas::text_width(std::string_view text, float height)
{
    float width = 0;
    for (const char letter : text) width += glyph_advance(letter) * height / glyph_height;
    return width;
}

image canvas::finished() const
{
    image result(static_cast<std::size_t>(width_), static_cast<std::size_t>(height_));
    std::ranges::transform(values_, result.bytes.begin(), byte_of);
    return result;
}

} // namespace apps
