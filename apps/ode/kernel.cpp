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
                                  double u = y(0, 0).real(), v = y(0, 0).imag();
                                  species reaction(1.0 + u * u * v - 4.4 * u, 3.4 * u - u * u * v);
                                  return reaction + spread * (y(-1, 0) + y(1, 0) + y(0, -1) + y(0, 1) - 4.0 * y(0, 0));
                              }),
                              sk::border::nearest());

// Runge-Kutta-Fehlberg 4(5): where each stage looks, the difference of both results, and the one of fifth order.
const auto at2 = sk::map(SKELRT_FN((control c, species y, species k1) { return y + c.h * 0.25 * k1; }));
const auto at3 = sk::map(SKELRT_FN(
    (control c, species y, species k1, species k2) { return y + c.h * (3.0 / 32.0 * k1 + 9.0 / 32.0 * k2); }));
const auto at4 = sk::map(SKELRT_FN((control c, species y, species k1, species k2, species k3) {
    return y + c.h * (1932.0 / 2197.0 * k1 - 7200.0 / 2197.0 * k2 + 7296.0 / 2197.0 * k3);
}));
const auto at5 = sk::map(SKELRT_FN((control c, species y, species k1, species k2, species k3, species k4) {
    return y + c.h * (439.0 / 216.0 * k1 - 8.0 * k2 + 3680.0 / 513.0 * k3 - 845.0 / 4104.0 * k4);
}));
const auto at6 = sk::map(SKELRT_FN((control c, species y, species k1, species k2, species k3, species k4, species k5) {
    return y + c.h * (-8.0 / 27.0 * k1 + 2.0 * k2 - 3544.0 / 2565.0 * k3 + 1859.0 / 4104.0 * k4 - 11.0 / 40.0 * k5);
}));

// The square of a step's error in units of what is tolerated.
const auto squares = sk::map(SKELRT_FN((control c, double tolerance, species y, species k1, species k3, species k4,
                                        species k5, species k6) {
    species e = c.h / tolerance *
                (1.0 / 360.0 * k1 - 128.0 / 4275.0 * k3 - 2197.0 / 75240.0 * k4 + 1.0 / 50.0 * k5 + 2.0 / 55.0 * k6);
    double u = e.real() / (1.0 + std::fabs(y.real())), v = e.imag() / (1.0 + std::fabs(y.imag()));
    return u * u + v * v;
}));
const auto total = sk::reduce(sk::plus, 0.0);

const auto judge =
    sk::map(SKELRT_FN((control c, double all, double values) { return judged(c, std::sqrt(all / values)); }));

const auto accept =
    sk::map(SKELRT_FN((control c, species y, species k1, species k3, species k4, species k5, species k6) {
        return y + c.taken * (16.0 / 135.0 * k1 + 6656.0 / 12825.0 * k3 + 28561.0 / 56430.0 * k4 - 9.0 / 50.0 * k5 +
                              2.0 / 55.0 * k6);
    }));

const auto start = sk::map(SKELRT_FN((sk::index2 at, double edge) {
    return std::complex<double>(0.5 + edge * ((double)at.row + 0.5), 1.0 + 5.0 * edge * ((double)at.col + 0.5));
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

// What else is asked.
void solver::bring_home()
{
    static_cast<void>(sk::host(y_));
    control_ = control_.get();
}

// The computation.
void solver::integrate(double end)
{
    stop_at(end);
    for (control c = now(); c.t < c.end; c = now()) {
        const double steps_left = std::ceil((c.end - c.t) / c.h);
        steps(static_cast<std::size_t>(std::clamp(steps_left, 1.0, static_cast<double>(look_every))));
    }
}

} // namespace ode
