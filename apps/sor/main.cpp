// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/field_of.hpp"
#include "apps/shared/poisson_options.hpp"
#include "apps/shared/trial.hpp"

#include <fmt/format.h>

namespace sor
{
namespace
{

/// Largest error that passes, relative to the largest value: compilers may contract products and sums.
constexpr double tolerance = 1e-11;

int run(const apps::poisson_options& o)
{
    const skelrt::runtime rt;
    apps::trial t("sor", o, rt);
    const apps::product exact = o.exact();
    const std::size_t n = o.inner();
    std::size_t made = 0;
    double residual = 0, error = 0;
    fmt::print(
        "Red-black over-relaxation, problem {0} on {1} x {1} points; a GB/s is four reads and two writes of a point "
        "per sweep\n\n",
        o.problem, o.size);
    t.on_each([&](apps::turn& now) {
        const equations e = equations_of(exact, n);
        const grid zero(n, n, 0.0);
        const double at_first = largest_residual(zero, e);
        grid u(n, n, skelrt::uninitialized);
        now.time([&] {
            made = o.steps;
            if (o.until) made = solve_until(u, zero, e, *o.until * at_first, o.check_every, o.steps);
            else sweeps(u, zero, e, o.steps);
            skelrt::wait(u);
        });
        residual = at_first > 0 ? largest_residual(u, e) / at_first : 0;
        error = apps::error_of(u, exact);
        now.check([&] {
            std::vector<double> right;
            t.reference([&] { right = plain_sweeps(e, made); });
            return apps::compare(tolerance, skelrt::host_read(u), right, apps::largest_of(right),
                                 apps::row_and_column(n));
        });
        now.picture([&] {
            return apps::plot_of(
                apps::field_of(u),
                {fmt::format("Problem {} after {} sweeps of red-black over-relaxation", o.problem, made),
                 fmt::format("{0} x {0} points", o.size), "u"});
        });
    });
    fmt::print(
        "after {} sweeps: largest residual {:.3g} of the first; largest difference to the exact solution {:.3g}\n\n",
        made, residual, error);
    const double points = 1e-9 * static_cast<double>(n * n * made);
    return t.report(
        {{"problem", o.problem},
         {"size", o.size},
         {"sweeps", made},
         {"residual", fmt::format("{:.6g}", residual)},
         {"error", fmt::format("{:.6g}", error)}},
        {{"Gpoints/s", points, "points_per_s", 1e9}, {"GB/s", 6 * sizeof(double) * points, "bytes_per_s", 1e9}},
        {"values of plain loops", "", "the largest"});
}

} // namespace
} // namespace sor

int main(int argc, char** argv)
{
    apps::poisson_options o;
    apps::command_line line(
        "sor",
        std::string("Red-black successive over-relaxation for u_xx + u_yy = f on the unit square, u = 0 on its "
                    "edges, by sk::stencil, with\nthe best factor for the grid. ") +
            apps::poisson_problems,
        {false, "write the solution to this PNG file"}, o);
    line.choice("--problem", o.problem, {"1", "2"}, "1 or 2");
    apps::add_options(line, o, "sweeps", 1, "go on until no residual is more than this part of the largest source");
    return apps::run_program(line, argc, argv, [&] { return sor::run(o); });
}
