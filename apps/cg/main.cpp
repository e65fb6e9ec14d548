// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/field_of.hpp"
#include "apps/shared/plot.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace cg
{
namespace
{

/// What the runs came to.
struct solution {
    std::size_t steps = 0;
    double residual = 0, error = 0; ///< norm over that of b; against the exact solution
    std::vector<apps::measurement> rows;
    apps::field drawn;
};

std::size_t inner(const options& o) { return o.size - 2; }

/// Fixed steps, or until the residual is small enough: looked at every check_every steps, which is one value then.
std::size_t solve(solver& s, const options& o, double bb)
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

void measure_device(const std::string& device, solution& all, const options& o, const skelrt::runtime& rt)
{
    const skelrt::only here(apps::set_of(device));
    const apps::product exact = apps::poisson_problem(o.problem, o.size);
    const grid b = right_side(exact, inner(o));
    const double bb = solver(b).rr();
    solver s(b);
    all.rows.push_back(apps::measure(device, rt, o.repeat, [&] {
        s = solver(b);
        all.steps = solve(s, o, bb);
        skelrt::wait(s.x());
    }));
    all.residual = bb > 0 ? std::sqrt(s.rr() / bb) : 0;
    all.error = error_of(s.x(), exact);
    if (o.check) all.rows.back().check = compare_with_textbook(b, all.steps, s);
    if (!o.picture.empty()) all.drawn = apps::field_of(s.x());
}

std::vector<apps::rate> rates_of(const solution& s, const options& o)
{
    const double points = static_cast<double>(inner(o) * inner(o)) * static_cast<double>(s.steps);
    return {{"Gpoints/s", points * 1e-9, "points_per_s", 1e9},
            {"GB/s", points * 12 * sizeof(double) * 1e-9, "bytes_per_s", 1e9}};
}

void draw(const solution& s, const options& o)
{
    apps::plot p(s.drawn, {"x", 0, 1}, {"y", 0, 1}, {0, apps::colour_limit(s.drawn, 1.0), apps::dark_to_light, 10});
    apps::write_png(o.picture,
                    p.finished({fmt::format("Problem {} after {} steps of conjugate gradients", o.problem, s.steps),
                                fmt::format("{} x {} points", o.size, o.size), "u"}));
    fmt::print("picture: {}\n", o.picture.string());
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    fmt::print("Conjugate gradients, problem {} on {} x {} points\n\n", o.problem, o.size, o.size);
    solution s;
    for (const auto& device : devices) measure_device(device, s, o, rt);
    fmt::print("{} steps; a GB/s is eight reads and four writes of a point per step\n\n{}\n", s.steps,
               apps::table_of(s.rows, rates_of(s, o)));
    fmt::print(
        "after {} steps: residual {:.3g} of the right side's norm; largest difference to the exact solution {:.3g}\n",
        s.steps, s.residual, s.error);
    if (o.check)
        fmt::print("{}",
                   apps::check_text(s.rows, {"values of the textbook's method, and residuals", "", "the largest"}));
    if (!o.csv.empty())
        apps::write_csv(o.csv, {{{{"problem", std::to_string(o.problem)},
                                  {"size", std::to_string(o.size)},
                                  {"steps", std::to_string(s.steps)},
                                  {"residual", fmt::format("{:.6g}", s.residual)},
                                  {"error", fmt::format("{:.6g}", s.error)}},
                                 s.rows,
                                 rates_of(s, o)}});
    if (!o.picture.empty()) draw(s, o);
    fmt::print("{}", apps::figure("cg_hybrid_vs_gpu", s.rows, "hybrid", apps::gpu_of(s.rows)));
    return apps::all_good(s.rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace cg

int main(int argc, char** argv)
{
    return apps::run_program("cg", [&] {
        const auto options = cg::read_options(argc, argv);
        return options ? cg::run(*options) : apps::all_well;
    });
}
