// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <array>
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

/// Whether each colour is as near as 8 to those of the point, or to what lies between its neighbours', which are looked
/// at only where they are needed.
bool is_right(const pixel& p, std::complex<double> c, int limit)
{
    constexpr int neighbours = 32;
    const auto colours = [](const pixel& of) { return std::array<int, 3>{of.r, of.g, of.b}; };
    std::array<int, 3> got = colours(p), low = colours(right_colour(c, limit)), high = low;
    for (int k = 1; k <= neighbours; ++k) {
        bool right = p.a == 255;
        for (std::size_t i = 0; i < 3; ++i) right = right && got[i] >= low[i] - 8 && got[i] <= high[i] + 8;
        if (right) return true;
        const auto near = colours(right_colour(c + std::polar(1e-6 * k / neighbours, 2.4 * k), limit));
        for (std::size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], near[i]), high[i] = std::max(high[i], near[i]);
    }
    return false;
}

} // namespace

apps::comparison compare(const skelrt::matrix<pixel>& picture, const view& v)
{
    apps::comparison result{0.01};
    std::mt19937_64 random(19800301);
    const auto pixels = skelrt::host_read(picture);
    const std::size_t samples = std::min<std::size_t>(100'000, picture.size()), cols = picture.cols();
    for (std::size_t k = 0; k < samples; ++k) {
        // The first and the last pixel always; they are where a wrong split shows first.
        const std::size_t i = k == 0 ? 0 : k == 1 ? picture.size() - 1 : random() % picture.size();
        const std::complex<double> c(v.x + v.step * static_cast<float>(i % cols),
                                     v.y - v.step * static_cast<float>(i / cols));
        const pixel &got = pixels.data()[i], right = right_colour(c, v.limit);
        result.count(is_right(got, c, v.limit), [&] {
            return fmt::format("row {}, column {}: colour {}, {}, {} instead of {}, {}, {}", i / cols, i % cols, got.r,
                               got.g, got.b, right.r, right.g, right.b);
        });
    }
    return result;
}

} // namespace mandelbrot
