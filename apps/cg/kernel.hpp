// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/poisson.hpp"

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace cg
{

using apps::grid;

// What a step adds up in one pass.
// clang-format off
SKELRT_SHARED(
    struct products { double rr, rq, qq; }; // of residual r and q = A p; r q is p q, as r - p is conjugate to p
    inline double step_length(products s) { return s.rq > 0.0 ? s.rr / s.rq : 0.0; } // 0: nothing is left to do
    inline double next_rr(products s)
    {
        double a = step_length(s), rr = a * a * s.qq - s.rr; // as r and A p are orthogonal
        return rr > 0.0 ? rr : 0.0;
    }
    inline double direction_factor(products s) { return s.rr > 0.0 ? next_rr(s) / s.rr : 0.0; }
    struct iterate { double x, r, p; };
)
// clang-format on

/// Conjugate gradients for A x = b, where A is the five-point Laplacian, -h^2 times it: 4 u less the four neighbours, 0
/// beyond the edge. Nothing in a step waits for the host: scalars stay where they are made.
///
/// The products of a step come from one pass, of r as it is. What the next r r will be is told by orthogonality, so
/// that x, r and p are updated in one pass, too (Saad's and Meurant's arrangement). Three passes a step, which read 7
/// grids and write 4.
class solver
{
public:
    /// x = 0. Asynchronous.
    explicit solver(const grid& b) { restart(b); }
    /// x = 0 for another right side of the same size, in the same memory. Asynchronous.
    void restart(const grid& b);
    /// So many more steps. Asynchronous; the host waits for nothing. Once r is 0, steps change nothing.
    void steps(std::size_t n);
    // What else is asked.
    /// Waits until x, r and p are in the host's memory, and nowhere else. What else there is, each step makes anew.
    void bring_home();
    /// r r before the last step made. Waits for that value only.
    double last_rr() const { return last_.get().rr; }
    /// r r now: one pass.
    double rr() const;
    const grid& residual() const { return r_; }
    // The computation.
    const grid& x() const { return x_; }

private:
    grid x_, r_, p_, q_;
    skelrt::scalar<products> last_;
};

// The problem.
/// b for u_xx + u_yy = f: -h^2 f at all points within the square of n x n inner points.
grid right_side(const apps::product& u, std::size_t n);

} // namespace cg
