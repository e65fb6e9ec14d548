// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "view.hpp"

#include "apps/shared/check.hpp"

#include <cstddef>

namespace mandelbrot
{

/// Largest share of wrong pixels that passes.
inline constexpr double tolerance = 0.01;

/// Near the edge of the set, points that single precision can hardly tell apart have other colours. A pixel is right if
/// each of its colours is as near as `colours` (of 255) to those that points within `distance` have.
inline constexpr struct {
    int colours;
    double distance;
} closeness{8, 1e-6};

/// Compares `samples` pixels, the same ones each time, with z -> z^2 + c in double precision, step by step. `relative` is
/// the share of wrong pixels, `absolute` their number.
apps::comparison compare(const pixel* picture, std::size_t rows, std::size_t cols, const view& v,
                         std::size_t samples = 100'000);

} // namespace mandelbrot
