// SPDX-License-Identifier: BSD-3-Clause
#include "view.hpp"

#include "apps/shared/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace mandelbrot
{

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

} // namespace mandelbrot
