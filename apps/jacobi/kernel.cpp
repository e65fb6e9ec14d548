// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <cmath>

namespace jacobi
{
namespace
{

namespace sk = skelrt;

const auto step = sk::stencil(SKELRT_FN((sk::hood2<double> u, double f, double h2) {
                                  return 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - h2 * f);
                              }),
                              sk::border::constant(0.0));

// The problem.
const auto source = sk::map(SKELRT_FN(
    (sk::index2 at, product u) { return source_at(u, u.h * (double)(at.col + 1), u.h * (double)(at.row + 1)); }));

// What else is asked.
const auto change_of = sk::map(SKELRT_FN((double now, double before) { return std::fabs(now - before); }));

const auto largest = sk::reduce(SKELRT_FN((double a, double b) { return std::fmax(a, b); }), 0.0);

} // namespace

// The problem.
grid source_of(const product& u, std::size_t rows, std::size_t cols)
{
    grid result(rows, cols, sk::uninitialized);
    result = source(sk::shape(rows, cols), u);
    return result;
}

// The computation.
void solve(grid& to, const grid& zero, const grid& f, double h, std::size_t steps)
{
    to = step.iterate(steps, zero, f, h * h);
}

// What else is asked.
std::size_t solve_until(grid& to, const grid& zero, const grid& f, double h, double change, std::size_t check_every,
                        std::size_t most)
{
    std::size_t made = 0;
    const auto done = [&](const grid& now, const grid& before, std::size_t steps) {
        made = steps;
        return steps >= most || static_cast<double>(largest(change_of(now, before))) <= change;
    };
    to = step.iterate_until(done, check_every, zero, f, h * h);
    return made;
}

} // namespace jacobi
