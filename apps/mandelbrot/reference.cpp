// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "kernel.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include <fmt/format.h>

namespace mandelbrot
{
namespace
{

float escape_in_double(std::complex<double> c, int limit)
{
    double re = 0, im = 0;
    int n = 0;
    for (; n < limit && re * re + im * im <= 256; ++n) {
        const double next = re * re - im * im + c.real();
        im = 2 * re * im + c.imag();
        re = next;
    }
    const double square = re * re + im * im;
    return square <= 256 ? static_cast<float>(limit) : static_cast<float>(n + 4 - std::log2(std::log2(square)));
}

pixel right_colour(std::complex<double> c, int limit) { return colour_of(escape_in_double(c, limit), limit); }

/// The colours of some points, each of its own: from the least to the largest.
struct range {
    pixel low{255, 255, 255, 255}, high{0, 0, 0, 0};

    void add(const pixel& p)
    {
        low = {std::min(low.r, p.r), std::min(low.g, p.g), std::min(low.b, p.b), std::min(low.a, p.a)};
        high = {std::max(high.r, p.r), std::max(high.g, p.g), std::max(high.b, p.b), std::max(high.a, p.a)};
    }
    bool has(const pixel& p) const
    {
        const auto within = [](int value, int least, int most) {
            return value >= least - closeness.colours && value <= most + closeness.colours;
        };
        return within(p.r, low.r, high.r) && within(p.g, low.g, high.g) && within(p.b, low.b, high.b) &&
               within(p.a, low.a, high.a);
    }
};

/// The point itself first; its neighbours only where they are needed.
bool is_right(const pixel& p, std::complex<double> c, int limit)
{
    constexpr int neighbours = 32;
    range colours;
    colours.add(right_colour(c, limit));
    for (int k = 0; k < neighbours && !colours.has(p); ++k)
        colours.add(right_colour(c + std::polar(closeness.distance * (k + 1) / neighbours, 2.4 * k), limit));
    return colours.has(p);
}

} // namespace

apps::comparison compare(const pixel* picture, std::size_t rows, std::size_t cols, const view& v, std::size_t samples)
{
    apps::comparison result{tolerance};
    std::mt19937_64 random(19800301);
    result.samples = std::min(samples, rows * cols);
    for (std::size_t k = 0; k < result.samples; ++k) {
        // The first and the last pixel always; they are where a wrong split shows first.
        const std::size_t i = k == 0 ? 0 : k == 1 ? rows * cols - 1 : random() % (rows * cols);
        const std::complex<double> c(v.x + v.step * static_cast<float>(i % cols),
                                     v.y - v.step * static_cast<float>(i / cols));
        if (is_right(picture[i], c, v.limit)) continue;
        const pixel &got = picture[i], right = right_colour(c, v.limit);
        if (result.worst.empty())
            result.worst = fmt::format("row {}, column {}: colour {}, {}, {} instead of {}, {}, {}", i / cols, i % cols,
                                       got.r, got.g, got.b, right.r, right.g, right.b);
        ++result.absolute;
    }
    result.relative = result.absolute / static_cast<double>(std::max<std::size_t>(result.samples, 1));
    return result;
}

} // namespace mandelbrot
