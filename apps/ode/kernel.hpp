// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cmath>
#include <cstddef>

namespace ode
{

// What the devices see. Both substances of a place lie side by side, as in BRUSS2D-MIX.
// clang-format off
SKELRT_SHARED(
    struct species { double u, v; };
    struct control {
        double t, h, end;      // where we are, the next step, where to stop; at the end, h is 0
        double taken;          // the last step, 0 if it was refused
        double accepted, refused;
    };
    inline species sum(species y, double h, double du, double dv) { return species{y.u + h * du, y.v + h * dv}; }

    // Runge-Kutta-Fehlberg 4(5): where each stage looks, the fifth-order result, and its difference to the fourth-order one.
    inline species stage2(species y, double h, species k1)
    {
        return sum(y, h, 0.25 * k1.u, 0.25 * k1.v);
    }
    inline species stage3(species y, double h, species k1, species k2)
    {
        return sum(y, h, 3.0 / 32.0 * k1.u + 9.0 / 32.0 * k2.u, 3.0 / 32.0 * k1.v + 9.0 / 32.0 * k2.v);
    }
    inline species stage4(species y, double h, species k1, species k2, species k3)
    {
        double a = 1932.0 / 2197.0, b = -7200.0 / 2197.0, c = 7296.0 / 2197.0;
        return sum(y, h, a * k1.u + b * k2.u + c * k3.u, a * k1.v + b * k2.v + c * k3.v);
    }
    inline species stage5(species y, double h, species k1, species k2, species k3, species k4)
    {
        double a = 439.0 / 216.0, b = -8.0, c = 3680.0 / 513.0, d = -845.0 / 4104.0;
        return sum(y, h, a * k1.u + b * k2.u + c * k3.u + d * k4.u, a * k1.v + b * k2.v + c * k3.v + d * k4.v);
    }
    inline species stage6(species y, double h, species k1, species k2, species k3, species k4, species k5)
    {
        double a = -8.0 / 27.0, b = 2.0, c = -3544.0 / 2565.0, d = 1859.0 / 4104.0, e = -11.0 / 40.0;
        return sum(y, h, a * k1.u + b * k2.u + c * k3.u + d * k4.u + e * k5.u,
                   a * k1.v + b * k2.v + c * k3.v + d * k4.v + e * k5.v);
    }
    inline species fifth_order(species y, double h, species k1, species k3, species k4, species k5, species k6)
    {
        double a = 16.0 / 135.0, c = 6656.0 / 12825.0, d = 28561.0 / 56430.0, e = -9.0 / 50.0, f = 2.0 / 55.0;
        return sum(y, h, a * k1.u + c * k3.u + d * k4.u + e * k5.u + f * k6.u,
                   a * k1.v + c * k3.v + d * k4.v + e * k5.v + f * k6.v);
    }
    inline species difference(double h, species k1, species k3, species k4, species k5, species k6)
    {
        double a = 1.0 / 360.0, c = -128.0 / 4275.0, d = -2197.0 / 75240.0, e = 1.0 / 50.0, f = 2.0 / 55.0;
        return sum(species{0.0, 0.0}, h, a * k1.u + c * k3.u + d * k4.u + e * k5.u + f * k6.u,
                   a * k1.v + c * k3.v + d * k4.v + e * k5.v + f * k6.v);
    }
    // The square of a step's error in units of what is tolerated.
    inline double scaled_square(species error, species y, double tolerance)
    {
        double eu = error.u / (tolerance * (1.0 + std::fabs(y.u))), ev = error.v / (tolerance * (1.0 + std::fabs(y.v)));
        return eu * eu + ev * ev;
    }
    // Hairer's controller: what becomes of a step whose root mean square error is this, in units of what is tolerated.
    inline control judged(control c, double error)
    {
        control next = c;
        double factor = error > 0.0 ? 0.9 * std::pow(error, -0.2) : 5.0;
        factor = factor < 0.2 ? 0.2 : (factor > 5.0 ? 5.0 : factor);
        next.taken = error <= 1.0 ? c.h : 0.0;
        next.accepted += next.taken > 0.0 ? 1.0 : 0.0;
        next.refused += error <= 1.0 ? 0.0 : 1.0;
        double left = c.end - c.t;
        bool last = next.taken >= left;
        next.t = last ? c.end : c.t + next.taken;
        double wanted = c.h * factor, rest = last ? 0.0 : left - next.taken;
        next.h = wanted < rest ? wanted : rest;
        return next;
    }
    inline double reaction_u(species y) { return 1.0 + y.u * y.u * y.v - 4.4 * y.u; }
    inline double reaction_v(species y) { return 3.4 * y.u - y.u * y.u * y.v; }
)
// clang-format on

using field = skelrt::matrix<species>;

/// The Brusselator with diffusion on the unit square,
///     u' = 1 + u^2 v - 4.4 u + alpha (u_xx + u_yy),   v' = 3.4 u - u^2 v + alpha (v_xx + v_yy),   alpha = 0.002,
/// nothing flows over the edges; at t = 0 u = 0.5 + y and v = 1 + 5 x. n x n cells; values are those in their middles.
constexpr double alpha = 0.002;

/// An embedded Runge-Kutta method of orders 4 and 5 that chooses its steps where the data is: a step's error, what becomes of
/// it, and the next step's length are scalars that never leave the device. The host only reads now and then how far it is.
class solver
{
public:
    solver(std::size_t n, double tolerance);
    /// Begins anew at t = 0, in the same memory. Asynchronous.
    void restart();
    /// Goes on until t is `end`. Up to `look_every` steps are submitted between two looks at t and h, which wait.
    void integrate(double end);
    /// So many steps, some of which may be refused. Asynchronous.
    void steps(std::size_t n);
    /// The time at which integrate() or steps() stops. Waits.
    void stop_at(double end);
    /// Waits until the values and what controls the steps are in the host's memory, and nowhere else. What else there is, each step
    /// makes anew.
    void bring_home();

    const field& values() const { return y_; }
    control now() const { return control_.get(); }
    static constexpr std::size_t look_every = 32;

private:
    void step();

    double tolerance_, spread_; ///< spread: alpha over the square of a cell's edge
    field y_, k1_, k2_, k3_, k4_, k5_, k6_;
    skelrt::scalar<double> error_;
    skelrt::scalar<control> control_;
};

/// The first step: a tenth of what diffusion lets explicit methods do.
double first_step(std::size_t n);

} // namespace ode
