#pragma once

#include <skelrt/matrix.hpp>

namespace matmul
{

using matrix = skelrt::matrix<float>;

/// to = a * b. Returns at once.
void multiply(matrix& to, const matrix& a, const matrix& b);

/// Numbers between -1 and 1 that depend on the position and the seed only.
matrix noise(std::size_t rows, std::size_t cols, unsigned seed);

} // namespace matmul
