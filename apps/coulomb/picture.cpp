#include "picture.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

constexpr colour ink{0.13f, 0.14f, 0.17f}, paper{0.985f, 0.985f, 0.98f}, faint{0.45f, 0.47f, 0.50f};
constexpr float plot_length = 840; // of the longer side of the slice
constexpr float left = 92, top = 96, right = 176, bottom = 84;
constexpr float text_height = 13;
constexpr int steps = 10; // contour lines between zero and the limit

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

/// Everything that is drawn is drawn by one of these: it knows how nm become pixels.
class plot
{
public:
    plot(const grid& g, const slice& s, const molecule& m, std::size_t z)
        : g_(g), s_(s), m_(m), z_(g.position({0, 0, z})[2]), scale_(pixels_per_nm(g)),
          width_(std::max(160.0f, std::round(scale_ * edge(0)))),
          height_(std::max(160.0f, std::round(scale_ * edge(1)))), limit_(colour_limit(s, 0.97)),
          picture_(static_cast<int>(left + width_ + right), static_cast<int>(top + height_ + bottom), paper)
    {
    }

    const canvas& draw()
    {
        draw_values();
        draw_atoms();
        draw_frame();
        draw_axes();
        draw_colour_bar();
        draw_title();
        return picture_;
    }

private:
    float step(std::size_t d) const { return d == 0 ? g_.where.hx : g_.where.hy; }
    float edge(std::size_t d) const { return step(d) * static_cast<float>(g_.size[d]); }
    static float pixels_per_nm(const grid& g)
    {
        return plot_length /
               std::max(g.where.hx * static_cast<float>(g.size[0]), g.where.hy * static_cast<float>(g.size[1]));
    }

    /// Grid coordinates of a pixel's middle; y goes upwards.
    point grid_at(float px, float py) const
    {
        return {px / width_ * static_cast<float>(s_.nx) - 0.5f,
                (height_ - py) / height_ * static_cast<float>(s_.ny) - 0.5f};
    }

    point pixel_of(double x, double y) const
    {
        return {left + width_ * (static_cast<float>(x - g_.where.x0) / edge(0) + 0.5f / static_cast<float>(s_.nx)),
                top + height_ * (1 - static_cast<float>(y - g_.where.y0) / edge(1) - 0.5f / static_cast<float>(s_.ny))};
    }

    float value_at(float px, float py) const
    {
        const point at = grid_at(px, py);
        return s_.smooth(at.x, at.y) / limit_;
    }

    /// 0 to 1: how much a pixel belongs to a contour line. Lines fade where they would run into each other.
    static float contour(float v, float slope)
    {
        if (std::abs(v) >= 1 || slope <= 0) return 0;
        const float per_line = 1.0f / steps;
        const float away = std::abs(v - per_line * std::round(v / per_line)) / slope;
        const float spacing = per_line / slope;
        return std::clamp(1.0f - away, 0.0f, 1.0f) * std::clamp((spacing - 4) / 8, 0.0f, 1.0f);
    }

    void draw_values()
    {
        for (int py = 0; py < static_cast<int>(height_); ++py)
            for (int px = 0; px < static_cast<int>(width_); ++px) {
                const float x = static_cast<float>(px) + 0.5f, y = static_cast<float>(py) + 0.5f;
                const float v = value_at(x, y);
                const float slope = std::hypot(value_at(x + 1, y) - v, value_at(x, y + 1) - v);
                const int tx = px + static_cast<int>(left), ty = py + static_cast<int>(top);
                picture_.mix(tx, ty, colour_of(v), 1);
                const bool zero = std::abs(v) < 0.5f / steps;
                picture_.mix(tx, ty, ink, contour(v, slope) * (zero ? 0.55f : 0.2f));
            }
    }

    void draw_atoms()
    {
        constexpr double reach = 0.09; // nm from the slice
        for (const auto& a : m_.atoms) {
            const double away = std::abs(a.at[2] - z_) / reach;
            const point p = pixel_of(a.at[0], a.at[1]);
            if (away > 1 || p.x < left || p.x > left + width_ || p.y < top || p.y > top + height_) continue;
            const float radius = (a.element == 'H' ? 0.018f : 0.032f) * scale_;
            draw_atom(p, std::clamp(radius, 1.5f, 16.0f), a.element == 'H', static_cast<float>(1 - away));
        }
    }

    /// Nearer to the slice is more solid.
    void draw_atom(point p, float radius, bool light, float nearness)
    {
        const float weight = 0.25f + 0.75f * nearness;
        picture_.disc(p, radius, ink, weight);
        picture_.disc(p, radius - 1.6f, light ? paper : colour{0.30f, 0.32f, 0.37f}, weight);
    }

    void draw_frame() { frame({left, top}, {left + width_, top + height_}); }

    void frame(point a, point b)
    {
        picture_.line(a, {b.x, a.y}, 1.2f, ink);
        picture_.line({b.x, a.y}, b, 1.2f, ink);
        picture_.line(b, {a.x, b.y}, 1.2f, ink);
        picture_.line({a.x, b.y}, a, 1.2f, ink);
    }

    static std::string label(double value, double distance)
    {
        const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(distance) - 1e-9)));
        return fmt::format("{:.{}f}", std::abs(value) < 0.5 * distance ? 0.0 : value, digits);
    }

    /// The multiples of a distance that lie within an axis of the slice.
    template <class Mark>
    void ticks(std::size_t d, const Mark& mark)
    {
        const float first = d == 0 ? g_.where.x0 : g_.where.y0;
        const double low = first - 0.5 * step(d), high = low + edge(d), distance = tick_distance(high - low, 5);
        for (double at = std::ceil(low / distance) * distance; at <= high + 1e-9; at += distance)
            mark(at, label(at, distance));
    }

    void centred(point p, const std::string& text, float height, colour c)
    {
        picture_.text({p.x - 0.5f * canvas::text_width(text, height), p.y}, text, height, c);
    }

    void draw_axes()
    {
        const float base = top + height_;
        ticks(0, [&](double at, const std::string& text) {
            const float x = pixel_of(at, 0).x;
            picture_.line({x, base}, {x, base + 7}, 1.2f, ink);
            centred({x, base + 12 + text_height}, text, text_height, ink);
        });
        ticks(1, [&](double at, const std::string& text) {
            const float y = pixel_of(0, at).y;
            picture_.line({left - 7, y}, {left, y}, 1.2f, ink);
            picture_.text({left - 12 - canvas::text_width(text, text_height), y + 0.5f * text_height}, text,
                          text_height, ink);
        });
        centred({left + 0.5f * width_, base + 34 + 2 * text_height}, "x / nm", text_height, faint);
        picture_.text({16, top - 18}, "y / nm", text_height, faint);
    }

    void draw_colour_bar()
    {
        const float x0 = left + width_ + 36, x1 = x0 + 24;
        for (int y = 0; y < static_cast<int>(height_); ++y) {
            const float v = 1 - 2 * (static_cast<float>(y) + 0.5f) / height_;
            const float at = top + static_cast<float>(y);
            picture_.rectangle({x0, at}, {x1, at + 1}, colour_of(v));
        }
        frame({x0, top}, {x1, top + height_});
        const double distance = tick_distance(2 * limit_, 8);
        const int count = static_cast<int>(limit_ / distance + 1e-6);
        for (int k = -count; k <= count; ++k) {
            const double value = k * distance;
            const float y = top + 0.5f * height_ * (1 - static_cast<float>(value / limit_));
            picture_.line({x1, y}, {x1 + 7, y}, 1.2f, ink);
            picture_.text({x1 + 14, y + 0.5f * text_height}, label(value, distance), text_height, ink);
        }
        const std::string unit = "kJ/(mol e)";
        picture_.text({x0, top - 18}, unit, text_height, faint);
    }

    void draw_title()
    {
        const auto title = fmt::format("Coulomb potential at z = {:.3f} nm", z_);
        picture_.text({left, 40}, title, 17, ink);
        const auto detail =
            fmt::format("{} atoms, {} x {} x {} points", m_.atoms.size(), g_.size[0], g_.size[1], g_.size[2]);
        picture_.text({left, 66}, detail, text_height, faint);
    }

    const grid& g_;
    const slice& s_;
    const molecule& m_;
    double z_;
    float scale_, width_, height_, limit_;
    canvas picture_;
};

} // namespace

float slice::smooth(float x, float y) const
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

slice slice_of(const grid& g, const std::vector<float>& values, std::size_t z)
{
    const std::size_t count = g.size[0] * g.size[1];
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(z * count);
    return {g.size[0], g.size[1], std::vector<float>(first, first + static_cast<std::ptrdiff_t>(count))};
}

float colour_limit(const slice& s, double share)
{
    std::vector<float> magnitudes(s.values.size());
    std::ranges::transform(s.values, magnitudes.begin(), [](float v) { return std::abs(v); });
    const auto at =
        magnitudes.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(magnitudes.size() - 1));
    std::ranges::nth_element(magnitudes, at);
    if (!(*at > 0)) return 1;
    const float base = std::pow(10.0f, std::floor(std::log10(*at)));
    for (const float f : {1.0f, 1.5f, 2.0f, 3.0f, 5.0f, 7.0f})
        if (*at <= f * base) return f * base;
    return 10 * base;
}

colour colour_of(float value)
{
    // Lightness falls evenly from the middle to both ends, and is the same on both sides.
    constexpr colour stops[] = {{0.07f, 0.18f, 0.42f}, {0.16f, 0.40f, 0.68f}, {0.43f, 0.65f, 0.83f},
                                {0.75f, 0.86f, 0.93f}, {0.97f, 0.97f, 0.96f}, {0.98f, 0.84f, 0.75f},
                                {0.92f, 0.59f, 0.47f}, {0.76f, 0.26f, 0.25f}, {0.46f, 0.05f, 0.14f}};
    constexpr int last = std::size(stops) - 1;
    const float t = (std::clamp(value, -1.0f, 1.0f) + 1) * 0.5f * last;
    const int i = std::min(static_cast<int>(t), last - 1);
    const float w = t - static_cast<float>(i);
    const colour &a = stops[i], &b = stops[i + 1];
    return {a.r + w * (b.r - a.r), a.g + w * (b.g - a.g), a.b + w * (b.b - a.b)};
}

void draw(const std::filesystem::path& file, const grid& g, const std::vector<float>& values, const molecule& m,
          std::size_t z)
{
    const slice s = slice_of(g, values, z);
    plot(g, s, m, z).draw().write_png(file);
}

} // namespace coulomb
