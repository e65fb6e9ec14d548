// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include "apps/shared/program/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace mandelbrot
{
namespace
{

// How long z -> z^2 + c stays within |z| <= 16, made smooth by how far it is beyond in the end; v.limit if it never
// leaves. Eight steps in a row without a look: once outside, a point never comes back, it becomes infinite or no number
// at all. Then the last eight are done again, one by one.
const auto escape = skelrt::map(SKELRT_FN((skelrt::index2 at, view v) {
    const float x = v.x + v.step * (float)at.col, y = v.y - v.step * (float)at.row;
    float a = 0.0f, b = 0.0f, a0 = 0.0f, b0 = 0.0f;
    int n = 0;
    bool inside = true;
    do {
        a0 = a;
        b0 = b;
        for (int k = 0; k < 8; ++k) {
            const float t = a * a + (x - b * b); // two fused multiply-adds
            b = (a + a) * b + y;
            a = t;
        }
        n += 8;
        inside = a * a <= 256.0f - b * b; // fused like the steps; squares that both share would not be
    } while (n < v.limit && inside);
    if (inside) return (float)v.limit;
    n -= 8;
    do {
        const float t = a0 * a0 + (x - b0 * b0);
        b0 = (a0 + a0) * b0 + y;
        a0 = t;
        ++n;
    } while (a0 * a0 <= 256.0f - b0 * b0);
    return (float)n + 4.0f - std::log2(std::log2(a0 * a0 + b0 * b0));
}));

// For both programs.
// Blue, white, gold and back, slower and slower, as the lines of equal counts come closer to each other.
const auto shade_fn = SKELRT_FN((float iterations, int limit) {
    if (iterations >= (float)limit) return pixel{0, 0, 0, 255};
    const float t = 2.2f * std::log(std::fmax(iterations, 1.0f)) + 3.5f;
    return pixel{(unsigned char)(255.0f * (0.5f - 0.5f * std::cos(t - 0.6f))),
                 (unsigned char)(255.0f * (0.48f - 0.46f * std::cos(t))),
                 (unsigned char)(255.0f * (0.5f - 0.45f * std::cos(t + 1.0f))), 255};
});
const auto shade = skelrt::map(shade_fn);

} // namespace

// The problem.
view view_of(const frame& part, std::size_t cols, std::size_t rows, int limit)
{
    const double step = part.width / static_cast<double>(cols);
    const double left = part.x - 0.5 * part.width + 0.5 * step,
                 top = part.y + 0.5 * step * (static_cast<double>(rows) - 1);
    const double largest = std::max({std::abs(left), std::abs(top), std::abs(part.x), std::abs(part.y)});
    if (step < largest * static_cast<double>(std::numeric_limits<float>::epsilon()))
        throw apps::input_error(fmt::format(
            "--width {}: {} pixels of it are closer together than single precision can tell", part.width, cols));
    return {static_cast<float>(left), static_cast<float>(top), static_cast<float>(step), (limit + 7) / 8 * 8};
}

// The computation.
void compute(skelrt::matrix<pixel>& picture, const view& v)
{
    picture = shade(escape(skelrt::shape(picture.rows(), picture.cols()), v), v.limit); // one kernel
}

// For both programs.
pixel colour_of(float iterations, int limit) { return shade_fn(iterations, limit); }

} // namespace mandelbrot
