// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/function.hpp>
#include <skelrt/matrix.hpp>

#include <cstddef>
#include <vector>

namespace apps
{

// What the devices see: products of two polynomials without a constant term, a x^3 + b x^2 + c x.
// clang-format off
SKELRT_SHARED(
    struct cubic { double a, b, c; };
    struct product { cubic p, q; double h; }; // u(x, y) = p(x) q(y); h: distance of grid points
    inline double value(cubic p, double x) { return ((p.a * x + p.b) * x + p.c) * x; }
    inline double bend(cubic p, double x) { return 6.0 * p.a * x + 2.0 * p.b; } // the second derivative
    inline double solution_at(product u, double x, double y) { return value(u.p, x) * value(u.q, y); }
    inline double source_at(product u, double x, double y)
    {
        return bend(u.p, x) * value(u.q, y) + value(u.p, x) * bend(u.q, y);
    }
)
// clang-format on

/// One of the two problems u_xx + u_yy = f on the unit square, 0 on its edges:
///   1: u = (x - x^2)(y - y^2)    2: u = (3 x^3 - x^2 - 2 x)(2 y^3 - y^2 - y)
/// `size` counts the points along an edge, those on the edges of the square included. Second differences of such
/// polynomials are their second derivatives, so that the grid's own solution is u.
product poisson_problem(int number, std::size_t size);

/// The points within the square: row i, column j is x = (j + 1) h, y = (i + 1) h.
using grid = skelrt::matrix<double>;

/// The largest difference to the solution of the problem. Computed where the grid is.
double error_of(const grid& values, const product& u);

/// Of plain loops, whose arrays have the edges, too: the n x n values within.
std::vector<double> without_edges(const std::vector<double>& u, std::size_t n);

} // namespace apps
