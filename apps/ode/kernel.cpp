// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <algorithm>
#include <cmath>

namespace ode
{

SKELRT_SHARED(struct parts { double u, v; };)

namespace
{

namespace sk = skelrt;

const auto rate = sk::stencil(SKELRT_FN((sk::hood2<species> y, double spread) {
                                  double u = y(0, 0).real(), v = y(0, 0).imag();
                                  species reaction(1.0 + u * u * v - 4.4 * u, 3.4 * u - u * u * v);
                                  return reaction + spread * (y(-1, 0) + y(1, 0) + y(0, -1) + y(0, 1) - 4.0 * y(0, 0));
                              }),
                              sk::border::nearest());

const auto uptake = sk::stencil(SKELRT_FN((sk::index1 at, sk::hood1<species> y, double places, double inflow) {
                                    double u = y(0).real(), z = ((double)at.i + 1.0) / places - 1.0;
                                    double before = at.i > 0 ? y(-1).real() : inflow, after = y(1).real();
                                    double drift = z * z * z / 8.0 * (after - before) * places / 2.0;
                                    double diffusion =
                                        z * z * z * z / 16.0 * (before - 2.0 * u + after) * places * places;
                                    double bound = 100.0 * u * y(0).imag();
                                    return std::complex<double>(drift + diffusion - bound, -bound);
                                }),
                                sk::border::nearest());

// BRUSS2D-ROW: what is computed of pairs takes pairs of both halves, which are never stored.
const auto pair_of = sk::map(SKELRT_FN((double u, double v) { return std::complex<double>(u, v); }));
const auto parts_of = sk::map(SKELRT_FN((species y) {
    parts p;
    p.u = y.real();
    p.v = y.imag();
    return p;
}));

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

// The problem.
const auto start = sk::map(SKELRT_FN((sk::index2 at, double edge) {
    return std::complex<double>(0.5 + edge * ((double)at.row + 0.5), 1.0 + 5.0 * edge * ((double)at.col + 0.5));
}));
const auto untouched = sk::map(SKELRT_FN((double v) { return std::complex<double>(0.0, v); }));

// The computation.
const auto end_at = sk::map(SKELRT_FN((control c, double end, double first) {
    control next = c;
    next.end = end;
    double h = c.h > 0.0 ? c.h : first;
    next.h = h < end - c.t ? h : end - c.t;
    return next;
}));

template <class Call>
auto rate_of(const bruss2d& p, const Call& y, double)
{
    return rate(y, alpha * static_cast<double>(p.n) * static_cast<double>(p.n));
}
/// A stencil has one result: parts are taken of it in a pass of their own.
template <class Call>
field rate_of(const bruss2d_row& p, const Call& y, double t)
{
    return rate_of(static_cast<const bruss2d&>(p), y, t);
}
template <class Call>
auto rate_of(const medakzo& p, const Call& y, double t)
{
    return uptake(y, static_cast<double>(p.n), medakzo::inflow(t));
}

/// What calls take for a state, and where their results go.
const field& seen(const field& y) { return y; }
const profile& seen(const profile& y) { return y; }
auto seen(const halves& y) { return pair_of(y.u, y.v); }

template <class State, class Call>
void put(State& to, const Call& from)
{
    to = from;
}
template <class Call>
void put(halves& to, const Call& from)
{
    sk::tie(to.u, to.v) = parts_of(from);
}

// The problem.
field made(const bruss2d_mix& p) { return {p.n, p.n, sk::uninitialized}; }
halves made(const bruss2d_row& p) { return {{p.n, p.n, sk::uninitialized}, {p.n, p.n, sk::uninitialized}}; }
profile made(const medakzo& p) { return profile(p.n, sk::uninitialized); }

auto start_of(const bruss2d& p) { return start(sk::shape(p.n, p.n), 1.0 / static_cast<double>(p.n)); }
auto start_of(const medakzo& p) { return untouched(sk::shape(p.n), 1.0); }

// What else is asked.
template <class State, class Body>
void each_container(State& y, const Body& body)
{
    if constexpr (requires { y.u; }) {
        body(y.u);
        body(y.v);
    } else {
        body(y);
    }
}

template <class Container>
std::vector<species> copied(const Container& y)
{
    const auto values = sk::host_read(y);
    return {values.data(), values.data() + values.size()};
}
std::vector<species> copied(const halves& y) { return copied(sk::eval(seen(y))); }

} // namespace

// The problem.
double first_step(std::size_t n) { return 0.1 / (8 * alpha * static_cast<double>(n) * static_cast<double>(n) + 4); }
double bruss2d::first_step() const { return ode::first_step(n); }
double medakzo::first_step() const { return 0.1 / (static_cast<double>(n) * static_cast<double>(n) / 4 + 300); }

template <class Problem>
solver_of<Problem>::solver_of(std::size_t n, double tolerance)
    : problem_(n), tolerance_(tolerance), y_(made(problem_)), k1_(made(problem_)), k2_(made(problem_)),
      k3_(made(problem_)), k4_(made(problem_)), k5_(made(problem_)), k6_(made(problem_))
{
    restart();
}

template <class Problem>
void solver_of<Problem>::restart()
{
    put(y_, start_of(problem_));
    control_ = control{};
    since_ = 0;
}

// The computation.
template <class Problem>
void solver_of<Problem>::step()
{
    const auto rates = [&](const auto& y) { return rate_of(problem_, y, since_); };
    put(k1_, rates(seen(y_)));
    put(k2_, rates(at2(control_, seen(y_), seen(k1_))));
    put(k3_, rates(at3(control_, seen(y_), seen(k1_), seen(k2_))));
    put(k4_, rates(at4(control_, seen(y_), seen(k1_), seen(k2_), seen(k3_))));
    put(k5_, rates(at5(control_, seen(y_), seen(k1_), seen(k2_), seen(k3_), seen(k4_))));
    put(k6_, rates(at6(control_, seen(y_), seen(k1_), seen(k2_), seen(k3_), seen(k4_), seen(k5_))));
    error_ = total(squares(control_, tolerance_, seen(y_), seen(k1_), seen(k3_), seen(k4_), seen(k5_), seen(k6_)));
    control_ = judge(control_, error_, problem_.values());
    put(y_, accept(control_, seen(y_), seen(k1_), seen(k3_), seen(k4_), seen(k5_), seen(k6_)));
}

template <class Problem>
void solver_of<Problem>::steps(std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) step();
}

template <class Problem>
void solver_of<Problem>::stop_at(double end)
{
    control_ = end_at(control_, end, problem_.first_step());
}

template <class Problem>
void solver_of<Problem>::integrate(double end)
{
    while (since_ < end) {
        const double stop = std::min(end, Problem::changes_after(since_));
        stop_at(stop);
        for (control c = now(); c.t < c.end; c = now()) {
            const double steps_left = std::ceil((c.end - c.t) / c.h);
            steps(static_cast<std::size_t>(std::clamp(steps_left, 1.0, static_cast<double>(look_every))));
        }
        since_ = stop;
    }
}

// What else is asked.
template <class Problem>
void solver_of<Problem>::bring_home()
{
    each_container(y_, [](auto& part) { static_cast<void>(sk::host(part)); });
    control_ = control_.get();
}

template <class Problem>
void solver_of<Problem>::wait() const
{
    each_container(y_, [](const auto& part) { sk::wait(part); });
}

template <class Problem>
std::vector<species> solver_of<Problem>::pairs() const
{
    return copied(y_);
}

template class solver_of<bruss2d_mix>;
template class solver_of<bruss2d_row>;
template class solver_of<medakzo>;

} // namespace ode
