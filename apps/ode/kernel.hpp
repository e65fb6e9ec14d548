// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cmath>
#include <complex>
#include <cstddef>

namespace ode
{

/// Both substances of a place, u + v i, side by side as in BRUSS2D-MIX: complex numbers add up and scale as pairs do.
using species = std::complex<double>;

// What the devices see.
// clang-format off
SKELRT_SHARED(
    struct control {
        double t, h, end;      // where we are, the next step, where to stop; at the end, h is 0
        double taken;          // the last step, 0 if it was refused
        double accepted, refused;
    };
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
