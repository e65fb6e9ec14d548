// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/poisson.hpp"

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace jacobi
{

using apps::grid;
using apps::product;

/// f at all points of an empty grid of some shape.
grid source_of(const product& u, std::size_t rows, std::size_t cols);

/// `to` becomes zero after so many Jacobi steps, u = (4 neighbours - h^2 f) / 4. Asynchronous.
void solve(grid& to, const grid& zero, const grid& source, double h, std::size_t steps);

/// Steps until none changes an element by more than `change`; asks every `check_every` steps, and ends after `most`.
/// Returns their number.
std::size_t solve_until(grid& to, const grid& zero, const grid& source, double h, double change,
                        std::size_t check_every, std::size_t most);

} // namespace jacobi
