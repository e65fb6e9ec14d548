// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sor
{
namespace
{

namespace sk = skelrt;
using apps::product;

const auto relax = sk::stencil(SKELRT_FN((sk::hood2<double> u, double source, double omega) {
                                   double own = 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - source);
                                   return u(0, 0) + omega * (own - u(0, 0));
                               }),
                               sk::border::constant(0.0));

// What else is asked.
const auto residual =
    sk::stencil(SKELRT_FN((sk::hood2<double> u, double source) {
                    return std::fabs(4.0 * u(0, 0) - u(-1, 0) - u(1, 0) - u(0, -1) - u(0, 1) + source);
                }),
                sk::border::constant(0.0));

// The problem.
const auto source_of = sk::map(SKELRT_FN((sk::index2 at, product u) {
    return u.h * u.h * source_at(u, u.h * (double)(at.col + 1), u.h * (double)(at.row + 1));
}));

// What else is asked.
const auto largest = sk::reduce(SKELRT_FN((double a, double b) { return std::fmax(a, b); }), 0.0);

} // namespace

// The problem.
double best_omega(double h) { return 2.0 / (1.0 + std::sin(std::numbers::pi * h)); }

equations equations_of(const product& u, std::size_t n)
{
    equations e{grid(n, n, sk::uninitialized), best_omega(u.h)};
    e.source = source_of(sk::shape(n, n), u);
    return e;
}

// The computation.
void sweeps(grid& to, const grid& from, const equations& e, std::size_t n)
{
    to = relax.red_black(n, from, e.source, e.omega);
}

// What else is asked.
double largest_residual(const grid& u, const equations& e) { return largest(residual(u, e.source)); }

std::size_t solve_until(grid& to, const grid& from, const equations& e, double enough, std::size_t check_every,
                        std::size_t most)
{
    std::size_t made = std::min(check_every, most);
    sweeps(to, from, e, made);
    while (made < most) {
        const sk::scalar<double> seen = largest(residual(to, e.source));
        const std::size_t n = std::min(check_every, most - made);
        grid next(to.rows(), to.cols(), sk::uninitialized);
        sweeps(next, to, e, n);
        if (seen.get() <= enough) break;
        to = std::move(next);
        made += n;
    }
    return made;
}

} // namespace sor
