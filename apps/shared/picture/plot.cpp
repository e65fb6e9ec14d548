// SPDX-License-Identifier: BSD-3-Clause
#include "plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace apps
{
namespace
{

constexpr float plot_length = 840; // of the longer side
constexpr float least_length = 160;
constexpr float left = 92, top = 96, right = 176, bottom = 84;
constexpr float text_height = 13;

std::size_t clamped(std::ptrdiff_t i, std::size_t n)
{
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, static_cast<std::ptrdiff_t>(n) - 1));
}

float catmull_rom(const float (&v)[4], float t)
{
    return v[1] +
           0.5f * t *
               (v[2] - v[0] + t * (2 * v[0] - 5 * v[1] + 4 * v[2] - v[3] + t * (3 * (v[1] - v[2]) + v[3] - v[0])));
}

/// Distance of axis or colour bar labels: 1, 2 or 5 times a power of ten, about `count` of them.
double tick_distance(double length, int count)
{
    const double rough = length / count, base = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double f : {1.0, 2.0, 5.0})
        if (rough <= f * base) return f * base;
    return 10 * base;
}

std::string label(double value, double distance)
{
    const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(distance) - 1e-9)));
    return fmt::format("{:.{}f}", std::abs(value) < 0.5 * distance ? 0.0 : value, digits);
}

/// The multiples of a distance that lie between low and high, about `count` of them.
template <class Mark>
void ticks(double low, double high, int count, const Mark& mark)
{
    const double distance = tick_distance(high - low, count), slack = 1e-6 * distance;
    for (double k = std::ceil((low - slack) / distance); k * distance <= high + slack; ++k)
        mark(k * distance, label(k * distance, distance));
}

/// Pixels of a side of `length` where the longer one is `longer`.
float side(double length, double longer)
{
    return std::max(least_length, std::round(static_cast<float>(plot_length * length / longer)));
}

} // namespace

float field::smooth(float x, float y) const
{
    const auto ix = static_cast<std::ptrdiff_t>(std::floor(x)), iy = static_cast<std::ptrdiff_t>(std::floor(y));
    float column[4];
    for (std::ptrdiff_t j = 0; j < 4; ++j) {
        float row[4];
        for (std::ptrdiff_t i = 0; i < 4; ++i) row[i] = at(clamped(ix + i - 1, nx), clamped(iy + j - 1, ny));
        column[j] = catmull_rom(row, x - static_cast<float>(ix));
    }
    return catmull_rom(column, y - static_cast<float>(iy));
}

float colour_limit(const field& values, double share)
{
    std::vector<float> magnitudes(values.values.size());
    std::ranges::transform(values.values, magnitudes.begin(), [](float v) { return std::abs(v); });
    const auto at =
        magnitudes.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(magnitudes.size() - 1));
    std::ranges::nth_element(magnitudes, at);
    if (!(*at > 0)) return 1;
    const float base = std::pow(10.0f, std::floor(std::log10(*at)));
    for (const float f : {1.0f, 1.5f, 2.0f, 3.0f, 5.0f, 7.0f})
        if (*at <= f * base) return f * base;
    return 10 * base;
}

plot::plot(const field& values, const axis& x, const axis& y, const colour_scale& scale)
    : values_(values), x_(x), y_(y), scale_(scale),
      width_(side(x.high - x.low, std::max(x.high - x.low, y.high - y.low))),
      height_(side(y.high - y.low, std::max(x.high - x.low, y.high - y.low))),
      picture_(static_cast<int>(left + width_ + right), static_cast<int>(top + height_ + bottom), paper)
{
    draw_values();
}

point plot::pixel_of(double x, double y) const
{
    return {left + width_ * static_cast<float>((x - x_.low) / (x_.high - x_.low)),
            top + height_ * (1 - static_cast<float>((y - y_.low) / (y_.high - y_.low)))};
}

bool plot::inside(point p) const { return p.x >= left && p.x <= left + width_ && p.y >= top && p.y <= top + height_; }

image plot::finished(const plot_words& words)
{
    frame({left, top}, {left + width_, top + height_});
    draw_axes();
    draw_colour_bar(words.unit);
    picture_.text({left, 40}, words.title, 17, ink);
    picture_.text({left, 66}, words.detail, text_height, faint);
    return picture_.finished();
}

/// At a pixel of the plot's own.
float plot::value_at(float px, float py) const
{
    return values_.smooth(px / width_ * static_cast<float>(values_.nx) - 0.5f,
                          (height_ - py) / height_ * static_cast<float>(values_.ny) - 0.5f);
}

/// 0 to 1: how much a pixel belongs to a contour line. Lines fade where they would run into each other.
float plot::contour(float value, float slope) const
{
    if (scale_.lines == 0 || value <= scale_.low || value >= scale_.high || slope <= 0) return 0;
    const float per_line = (scale_.high - scale_.low) / static_cast<float>(scale_.lines);
    const float line = per_line * std::round(value / per_line);
    if (line <= scale_.low || line >= scale_.high) return 0; // where nothing happens, rounding would draw it
    const float away = std::abs(value - line) / slope;
    const float spacing = per_line / slope;
    const bool zero = scale_.low < 0 && std::abs(value) < 0.5f * per_line;
    return std::clamp(1.0f - away, 0.0f, 1.0f) * std::clamp((spacing - 4) / 8, 0.0f, 1.0f) * (zero ? 0.55f : 0.2f);
}

void plot::draw_values()
{
    for (int py = 0; py < static_cast<int>(height_); ++py)
        for (int px = 0; px < static_cast<int>(width_); ++px) {
            const float x = static_cast<float>(px) + 0.5f, y = static_cast<float>(py) + 0.5f;
            const float v = value_at(x, y);
            const float slope = std::hypot(value_at(x + 1, y) - v, value_at(x, y + 1) - v);
            const int tx = px + static_cast<int>(left), ty = py + static_cast<int>(top);
            const colour c = scale_.colours((v - scale_.low) / (scale_.high - scale_.low));
            picture_.mix(tx, ty, c, 1);
            picture_.mix(tx, ty, c.r + c.g + c.b < 0.9f ? paper : ink, contour(v, slope));
        }
}

void plot::frame(point a, point b)
{
    picture_.line(a, {b.x, a.y}, 1.2f, ink);
    picture_.line({b.x, a.y}, b, 1.2f, ink);
    picture_.line(b, {a.x, b.y}, 1.2f, ink);
    picture_.line({a.x, b.y}, a, 1.2f, ink);
}

void plot::centred(point p, const std::string& text, float height, colour c)
{
    picture_.text({p.x - 0.5f * canvas::text_width(text, height), p.y}, text, height, c);
}

void plot::draw_axes()
{
    const float base = top + height_;
    ticks(x_.low, x_.high, 5, [&](double at, const std::string& text) {
        const float x = pixel_of(at, y_.low).x;
        picture_.line({x, base}, {x, base + 7}, 1.2f, ink);
        centred({x, base + 12 + text_height}, text, text_height, ink);
    });
    ticks(y_.low, y_.high, 5, [&](double at, const std::string& text) {
        const float y = pixel_of(x_.low, at).y;
        picture_.line({left - 7, y}, {left, y}, 1.2f, ink);
        picture_.text({left - 12 - canvas::text_width(text, text_height), y + 0.5f * text_height}, text, text_height,
                      ink);
    });
    centred({left + 0.5f * width_, base + 34 + 2 * text_height}, x_.label, text_height, faint);
    picture_.text({16, top - 18}, y_.label, text_height, faint);
}

void plot::draw_colour_bar(const std::string& unit)
{
    const float x0 = left + width_ + 36, x1 = x0 + 24;
    for (int y = 0; y < static_cast<int>(height_); ++y) {
        const float at = top + static_cast<float>(y);
        picture_.rectangle({x0, at}, {x1, at + 1}, scale_.colours(1 - (static_cast<float>(y) + 0.5f) / height_));
    }
    frame({x0, top}, {x1, top + height_});
    ticks(scale_.low, scale_.high, 8, [&](double value, const std::string& text) {
        const float y = top + height_ * (1 - (static_cast<float>(value) - scale_.low) / (scale_.high - scale_.low));
        picture_.line({x1, y}, {x1 + 7, y}, 1.2f, ink);
        picture_.text({x1 + 14, y + 0.5f * text_height}, text, text_height, ink);
    });
    picture_.text({x0, top - 18}, unit, text_height, faint);
}

image plot_of(const field& values, const plot_words& words, double share)
{
    const double longest = static_cast<double>(std::max(values.nx, values.ny));
    plot p(values, {"x", 0, static_cast<double>(values.nx) / longest},
           {"y", 0, static_cast<double>(values.ny) / longest}, {0, colour_limit(values, share), dark_to_light, 10});
    return p.finished(words);
}

} // namespace apps
