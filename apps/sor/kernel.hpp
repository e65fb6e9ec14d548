// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/poisson.hpp"

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace sor
{

using apps::grid;

/// The five-point equations 4 u - neighbours = -h^2 f by successive over-relaxation: each value moves `omega` times as
/// far as its equation asks. Positions whose indices have an even sum come first; the others see the new values.
struct equations {
    grid source; ///< h^2 f
    double omega;
};

/// Those of a problem on n x n inner points, with the best omega.
equations equations_of(const apps::product& u, std::size_t n);
double best_omega(double h);

/// `to` becomes `from` after so many sweeps over both colours. Asynchronous.
void sweeps(grid& to, const grid& from, const equations& e, std::size_t n);

/// The largest residual |4 u - neighbours + h^2 f| of any equation. Waits for that value only.
double largest_residual(const grid& u, const equations& e);

/// Sweeps until no residual is larger than `enough`; looks every `check_every` sweeps, and ends after `most`. Returns
/// their number. While a look is under way, the next sweeps are; those are made for nothing if it says enough.
std::size_t solve_until(grid& to, const grid& from, const equations& e, double enough, std::size_t check_every,
                        std::size_t most);

} // namespace sor
