// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

namespace cg
{
namespace
{

namespace sk = skelrt;
using apps::product;

const auto apply =
    sk::stencil(SKELRT_FN((sk::hood2<double> u) { return 4.0 * u(0, 0) - u(-1, 0) - u(1, 0) - u(0, -1) - u(0, 1); }),
                sk::border::constant(0.0));

const auto products_of = sk::map(SKELRT_FN((double r, double q) { return products{r * r, r * q, q * q}; }));

const auto sum = sk::reduce(SKELRT_FN((products a, products b) {
                                return products{a.rr + b.rr, a.rq + b.rq, a.qq + b.qq};
                            }),
                            products{0, 0, 0});

const auto step = sk::map(SKELRT_FN((products s, double x, double r, double p, double q) {
    double along = step_length(s), next = r - along * q;
    return iterate{x + along * p, next, next + direction_factor(s) * p};
}));

const auto begin = sk::map(SKELRT_FN((double b) { return iterate{0.0, b, b}; }));

// What else is asked.
const auto squared = sk::map(sk::square);
const auto total = sk::reduce(sk::plus, 0.0);

// The problem.
const auto right = sk::map(SKELRT_FN((sk::index2 at, product u) {
    return -u.h * u.h * source_at(u, u.h * (double)(at.col + 1), u.h * (double)(at.row + 1));
}));

} // namespace

// The computation.
void solver::restart(const grid& b) { sk::tie(x_, r_, p_) = begin(b); }

void solver::steps(std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) {
        q_ = apply(p_);
        last_ = sum(products_of(r_, q_));
        sk::tie(x_, r_, p_) = step(last_, x_, r_, p_, q_);
    }
}

// What else is asked.
void solver::bring_home()
{
    for (grid* g : {&x_, &r_, &p_}) static_cast<void>(sk::host(*g));
}

double solver::rr() const { return total(squared(r_)); }

// The problem.
grid right_side(const product& u, std::size_t n) { return right(sk::shape(n, n), u); }

} // namespace cg
