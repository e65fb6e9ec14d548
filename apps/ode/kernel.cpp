// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <algorithm>
#include <cmath>

namespace ode
{
namespace
{

namespace sk = skelrt;

const auto rate = sk::stencil(SKELRT_FN((sk::hood2<species> y, double spread) {
                                  species m = y(0, 0), n = y(-1, 0), s = y(1, 0), w = y(0, -1), e = y(0, 1);
                                  return species{reaction_u(m) + spread * (n.u + s.u + w.u + e.u - 4.0 * m.u),
                                                 reaction_v(m) + spread * (n.v + s.v + w.v + e.v - 4.0 * m.v)};
                              }),
                              sk::border::nearest());

const auto at2 = sk::map(SKELRT_FN((control c, species y, species k1) { return stage2(y, c.h, k1); }));
const auto at3 = sk::map(SKELRT_FN((control c, species y, species k1, species k2) { return stage3(y, c.h, k1, k2); }));
const auto at4 = sk::map(
    SKELRT_FN((control c, species y, species k1, species k2, species k3) { return stage4(y, c.h, k1, k2, k3); }));
const auto at5 = sk::map(SKELRT_FN(
    (control c, species y, species k1, species k2, species k3, species k4) { return stage5(y, c.h, k1, k2, k3, k4); }));
const auto at6 = sk::map(SKELRT_FN((control c, species y, species k1, species k2, species k3, species k4, species k5) {
    return stage6(y, c.h, k1, k2, k3, k4, k5);
}));

const auto squares =
    sk::map(SKELRT_FN((control c, double tolerance, species y, species k1, species k3, species k4, species k5,
                       species k6) { return scaled_square(difference(c.h, k1, k3, k4, k5, k6), y, tolerance); }));
const auto total = sk::reduce(sk::plus, 0.0);

const auto judge =
    sk::map(SKELRT_FN((control c, double all, double values) { return judged(c, std::sqrt(all / values)); }));

const auto accept = sk::map(SKELRT_FN((control c, species y, species k1, species k3, species k4, species k5,
                                       species k6) { return fifth_order(y, c.taken, k1, k3, k4, k5, k6); }));

const auto start = sk::map(SKELRT_FN((sk::index2 at, double edge) {
    return species{0.5 + edge * ((double)at.row + 0.5), 1.0 + 5.0 * edge * ((double)at.col + 0.5)};
}));

const auto end_at = sk::map(SKELRT_FN((control c, double end, double first) {
    control next = c;
    next.end = end;
    double h = c.h > 0.0 ? c.h : first;
    next.h = h < end - c.t ? h : end - c.t;
    return next;
}));

} // namespace

double first_step(std::size_t n) { return 0.1 / (8 * alpha * static_cast<double>(n) * static_cast<double>(n) + 4); }

solver::solver(std::size_t n, double tolerance)
    : tolerance_(tolerance), spread_(alpha * static_cast<double>(n) * static_cast<double>(n)),
      y_(n, n, sk::uninitialized), k1_(n, n, sk::uninitialized), k2_(n, n, sk::uninitialized),
      k3_(n, n, sk::uninitialized), k4_(n, n, sk::uninitialized), k5_(n, n, sk::uninitialized),
      k6_(n, n, sk::uninitialized)
{
    restart();
}

void solver::restart()
{
    y_ = start(sk::shape(y_.rows(), y_.cols()), 1.0 / static_cast<double>(y_.rows()));
    control_ = control{};
}

void solver::step()
{
    k1_ = rate(y_, spread_);
    k2_ = rate(at2(control_, y_, k1_), spread_);
    k3_ = rate(at3(control_, y_, k1_, k2_), spread_);
    k4_ = rate(at4(control_, y_, k1_, k2_, k3_), spread_);
    k5_ = rate(at5(control_, y_, k1_, k2_, k3_, k4_), spread_);
    k6_ = rate(at6(control_, y_, k1_, k2_, k3_, k4_, k5_), spread_);
    error_ = total(squares(control_, tolerance_, y_, k1_, k3_, k4_, k5_, k6_));
    control_ = judge(control_, error_, 2.0 * static_cast<double>(y_.size()));
    y_ = accept(control_, y_, k1_, k3_, k4_, k5_, k6_);
}

void solver::steps(std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) step();
}

void solver::stop_at(double end) { control_ = end_at(control_, end, first_step(y_.rows())); }

void solver::bring_home()
{
    static_cast<void>(sk::host(y_));
    control_ = control_.get();
}

void solver::integrate(double end)
{
    stop_at(end);
    for (control c = now(); c.t < c.end; c = now()) {
        const double steps_left = std::ceil((c.end - c.t) / c.h);
        steps(static_cast<std::size_t>(std::clamp(steps_left, 1.0, static_cast<double>(look_every))));
    }
}

} // namespace ode
