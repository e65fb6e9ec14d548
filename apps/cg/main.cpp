// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/field_of.hpp"
#include "apps/shared/poisson_options.hpp"
#include "apps/shared/trial.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace cg
{
namespace
{

/// Largest error that passes, relative to the largest value. Both round differently, and conjugate gradients magnify
/// that.
constexpr double tolerance = 1e-7;

/// Fixed steps, or until the residual is small enough: looked at every check_every steps, which is one value then.
std::size_t solve(solver& s, const apps::poisson_options& o, double bb)
{
    if (!o.until) return s.steps(o.steps), o.steps;
    const double enough = *o.until * *o.until * bb;
    std::size_t made = 0;
    while (made < o.steps) {
        const std::size_t n = std::min(o.check_every, o.steps - made);
        s.steps(n);
        made += n;
        if (s.rr() <= enough) break;
    }
    return made;
}

int run(const apps::poisson_options& o)
{
    const skelrt::runtime rt;
    apps::trial t("cg", o, rt);
    const apps::product exact = o.exact();
    std::size_t made = 0;
    double residual = 0, error = 0;
    fmt::print(
        "Conjugate gradients, problem {0} on {1} x {1} points; a GB/s is eight reads and four writes of a point per "
        "step\n\n",
        o.problem, o.size);
    t.on_each([&](apps::turn& now) {
        const grid b = right_side(exact, o.inner());
        const double bb = solver(b).rr();
        solver s(b);
        now.time([&] {
            s = solver(b);
            made = solve(s, o, bb);
            skelrt::wait(s.x());
        });
        residual = bb > 0 ? std::sqrt(s.rr() / bb) : 0;
        error = apps::error_of(s.x(), exact);
        now.check([&] {
            std::vector<double> right;
            t.reference([&] { right = plain_steps(b, made); });
            return apps::compare(tolerance, skelrt::host_read(s.x()), right, apps::largest_of(right),
                                 apps::row_and_column(o.inner()));
        });
        now.picture([&] {
            return apps::plot_of(apps::field_of(s.x()),
                                 {fmt::format("Problem {} after {} steps of conjugate gradients", o.problem, made),
                                  fmt::format("{0} x {0} points", o.size), "u"});
        });
    });
    fmt::print("after {} steps: residual {:.3g} of the right side's norm; largest difference to the exact solution "
               "{:.3g}\n\n",
               made, residual, error);
    const double points = 1e-9 * static_cast<double>(o.inner() * o.inner() * made);
    return t.report(
        {{"problem", o.problem},
         {"size", o.size},
         {"steps", made},
         {"residual", fmt::format("{:.6g}", residual)},
         {"error", fmt::format("{:.6g}", error)}},
        {{"Gpoints/s", points, "points_per_s", 1e9}, {"GB/s", 12 * sizeof(double) * points, "bytes_per_s", 1e9}},
        {"values of the textbook's method", "", "the largest"});
}

} // namespace
} // namespace cg

int main(int argc, char** argv)
{
    apps::poisson_options o;
    apps::command_line line(
        "cg",
        std::string("Conjugate gradients for u_xx + u_yy = f on the unit square, u = 0 on its edges, "
                    "without a matrix: the operator is an\nsk::stencil. No step waits for the host. ") +
            apps::poisson_problems,
        {false, "write the solution to this PNG file"}, o);
    line.choice("--problem", o.problem, {"1", "2"}, "1 or 2");
    apps::add_options(line, o, "steps", 1, "go on until the residual's norm is this part of the right side's");
    return apps::run_program(line, argc, argv, [&] { return cg::run(o); });
}
