// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

namespace ode
{

/// Both substances of a place, u + v i, side by side: complex numbers add up and scale as pairs do.
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
using profile = skelrt::vector<species>; ///< along a line
/// u of all cells row by row, and then v of all.
struct halves {
    skelrt::matrix<double> u, v;
};

// For both programs.
/// The Brusselator with diffusion on the unit square,
///     u' = 1 + u^2 v - 4.4 u + alpha (u_xx + u_yy),   v' = 3.4 u - u^2 v + alpha (v_xx + v_yy),   alpha = 0.002,
/// nothing flows over the edges; at t = 0 u = 0.5 + y and v = 1 + 5 x. n x n cells; values are those in their middles.
constexpr double alpha = 0.002;
struct bruss2d {
    explicit bruss2d(std::size_t cells) : n(cells) {}
    std::size_t n;
    double values() const { return 2.0 * static_cast<double>(n) * static_cast<double>(n); }
    double first_step() const;
    /// The first time after t at which the equation becomes another one.
    static double changes_after(double) { return std::numeric_limits<double>::infinity(); }
};
/// BRUSS2D-MIX: u and v of a cell are neighbours.
struct bruss2d_mix : bruss2d {
    using bruss2d::bruss2d;
    using state = field;
};
/// BRUSS2D-ROW.
struct bruss2d_row : bruss2d {
    using bruss2d::bruss2d;
    using state = halves;
};

/// The medical Akzo Nobel problem of the test set for IVP solvers: how antibodies v bind a substance u that diffuses
/// into a tissue. Its line x >= 0 is z = x / (x + c), c = 4, and has n places z = i / n, i = 1 ... n, at which
///     u' = 2 (z - 1)^3 / c^2 u_z + (z - 1)^4 / c^2 u_zz - k u v,   v' = -k u v,   k = 100,
/// with central differences. In front of the first place u is 2 until t = 5, and 0 from then on; behind the last one u
/// is as there. At t = 0 u = 0 and v = 1.
struct medakzo {
    using state = profile;
    explicit medakzo(std::size_t places) : n(places) {}
    std::size_t n;
    double values() const { return 2.0 * static_cast<double>(n); }
    double first_step() const;
    static constexpr double jump = 5;
    static double changes_after(double t) { return t < jump ? jump : std::numeric_limits<double>::infinity(); }
    static double inflow(double t) { return t < jump ? 2 : 0; }
};

// The computation.
/// An embedded Runge-Kutta method of orders 4 and 5 that chooses its steps where the data is: a step's error, what
/// becomes of it, and the next step's length are scalars of the device. The host only reads now and then how far it is.
template <class Problem>
class solver_of
{
public:
    solver_of(std::size_t n, double tolerance);
    /// Begins anew at t = 0, in the same memory. Asynchronous.
    void restart();
    /// Goes on until t is `end`. Up to `look_every` steps are submitted between two looks at t and h, which wait.
    /// Where the equation changes, a step ends, so that none sees both.
    void integrate(double end);
    /// So many steps, some of which may be refused. Asynchronous.
    void steps(std::size_t n);
    /// The time at which integrate() or steps() stops. Waits.
    void stop_at(double end);
    /// Waits until the values and what controls the steps are in the host's memory, and nowhere else. What else there
    /// is, each step makes anew.
    void bring_home();
    void wait() const;

    const typename Problem::state& values() const { return y_; }
    /// Copies, one pair for each place. Waits.
    std::vector<species> pairs() const;
    control now() const { return control_.get(); }
    static constexpr std::size_t look_every = 32;

private:
    void step();

    Problem problem_;
    double tolerance_;
    double since_ = 0; ///< the equation is the one that holds from then on
    typename Problem::state y_, k1_, k2_, k3_, k4_, k5_, k6_;
    skelrt::scalar<double> error_;
    skelrt::scalar<control> control_;
};

extern template class solver_of<bruss2d_mix>;
extern template class solver_of<bruss2d_row>;
extern template class solver_of<medakzo>;
using solver = solver_of<bruss2d_mix>;

/// The first step of BRUSS2D: a tenth of what diffusion lets explicit methods do.
double first_step(std::size_t n);

} // namespace ode
