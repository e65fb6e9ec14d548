// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/check.hpp"

#include <cstddef>
#include <vector>

namespace jacobi
{

/// Largest error that passes, relative to the largest exact value after as many steps.
inline constexpr double tolerance = 1e-9;

/// What Jacobi's method has exactly after n steps, without making them.
///
/// A step is the mean of an averaging along x and one along y, which commute; so n steps multiply the error, at first -u,
/// by sum over m of (n over m) / 2^n * Ax^m Ay^(n-m). As u is a product p(x) q(y), that takes n averagings of two vectors
/// instead of n steps of a grid.
class reference
{
public:
    /// `size`: points along an edge, those on the square's edges included.
    reference(const product& u, std::size_t size, std::size_t steps);
    /// Compares every point whose row and column are among at most 400 of each.
    apps::comparison compare(const grid& values) const;

private:
    double at(std::size_t row, std::size_t col) const;

    product u_;
    std::vector<double> weight_;      ///< of the m that count, from the first one
    std::vector<std::size_t> places_; ///< rows and columns that are looked at
    std::vector<double> x_, y_;       ///< [m, from the first one][place]: p and q, averaged m times
};

} // namespace jacobi
