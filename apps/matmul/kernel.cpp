// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

namespace matmul
{
namespace
{

const auto product = skelrt::all_pairs(skelrt::multiplies, skelrt::plus, 0.0f);

} // namespace

void multiply(matrix& to, const matrix& a, const matrix& b) { to = product(a, skelrt::transpose(b)); }

} // namespace matmul
