// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/field_of.hpp"
#include "apps/shared/poisson_options.hpp"
#include "apps/shared/trial.hpp"

#include <fmt/format.h>

namespace jacobi
{
namespace
{

/// Largest error that passes, relative to the largest value: compilers may contract products and sums.
constexpr double tolerance = 1e-9;

apps::trial solve_problem(const apps::poisson_options& o, const skelrt::runtime& rt)
{
    apps::trial t("jacobi" + o.problem, o, rt);
    const product exact = o.exact();
    const std::size_t n = o.inner();
    std::size_t made = 0;
    double error = 0;
    t.on_each([&](apps::turn& now) {
        const grid zero(n, n, 0.0), source = source_of(exact, n, n);
        grid u(n, n, skelrt::uninitialized);
        now.time([&] {
            made = o.steps;
            if (o.until) made = solve_until(u, zero, source, exact.h, *o.until, o.check_every, o.steps);
            else solve(u, zero, source, exact.h, o.steps);
            skelrt::wait(u);
        });
        error = apps::error_of(u, exact);
        now.check([&] {
            std::vector<double> right;
            t.reference([&] { right = plain_steps(source, exact.h, made); });
            return apps::compare(tolerance, skelrt::host_read(u), right, apps::largest_of(right),
                                 apps::row_and_column(n));
        });
        now.picture([&] {
            return apps::plot_of(apps::field_of(u), {fmt::format("Problem {} after {} Jacobi steps", o.problem, made),
                                                     fmt::format("{0} x {0} points", o.size), "u"});
        });
    });
    fmt::print("problem {}: {} steps; largest difference to the exact solution {:.3g}\n\n", o.problem, made, error);
    const double points = 1e-9 * static_cast<double>(n * n * made);
    t.tell({{"problem", o.problem}, {"size", o.size}, {"steps", made}, {"error", fmt::format("{:.6g}", error)}},
           {{"Gpoints/s", points, "points_per_s", 1e9}, {"GB/s", 3 * sizeof(double) * points, "bytes_per_s", 1e9}},
           {"values of plain loops", "", "the largest"});
    fmt::print("\n");
    return t;
}

int run(const apps::poisson_options& o)
{
    const skelrt::runtime rt;
    fmt::print("Jacobi's method on {0} x {0} points; a GB/s is two reads and one write of a point per step\n\n",
               o.size);
    std::vector<apps::trial> all;
    for (const std::string number : {"1", "2"}) {
        apps::poisson_options one = o;
        one.problem = number;
        if (number != o.problem && number == "1") one.picture.clear(); // the last one is drawn
        if (o.problem == "both" || o.problem == number) all.push_back(solve_problem(one, rt));
    }
    return apps::finish(o, all);
}

} // namespace
} // namespace jacobi

int main(int argc, char** argv)
{
    apps::poisson_options o;
    o.problem = "both";
    o.size = 4001;
    o.steps = 50;
    o.check_every = 100;
    apps::command_line line(
        "jacobi",
        std::string("Jacobi's method for u_xx + u_yy = f on the unit square, u = 0 on its edges, by "
                    "sk::stencil on the devices that you\nchoose. ") +
            apps::poisson_problems,
        {false, "write what the last problem has come to to this PNG file"}, o);
    line.choice("--problem", o.problem, {"1", "2", "both"}, "1, 2 or both");
    apps::add_options(line, o, "steps", 0, "go on until no step changes a value by more than this");
    return apps::run_program(line, argc, argv, [&] { return jacobi::run(o); });
}
