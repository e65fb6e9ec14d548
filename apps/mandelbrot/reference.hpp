// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/check.hpp"

namespace mandelbrot
{

/// Compares some pixels, the same ones each time, with z -> z^2 + c in double precision, step by step. `relative` is
/// the share of wrong pixels, of which 1 % pass, `absolute` their number. Near the edge of the set single precision can
/// hardly tell points apart: a pixel is right if points within 1e-6 have such a colour.
apps::comparison compare(const skelrt::matrix<pixel>& picture, const view& v);

} // namespace mandelbrot
