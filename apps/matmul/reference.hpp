#pragma once

#include "product.hpp"

#include "apps/shared/check.hpp"

namespace matmul
{

/// Largest error that passes, over the sum of the magnitudes of an element's terms: single precision, some thousand terms.
inline constexpr double tolerance = 2e-6;

/// Compares `samples` elements of the product, the same ones each time, with sums in double precision.
apps::comparison compare(const matrix& product, const matrix& a, const matrix& b, std::size_t samples = 2000);

} // namespace matmul
