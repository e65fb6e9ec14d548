// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/field_of.hpp"
#include "apps/shared/plot.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <fmt/format.h>

namespace sor
{
namespace
{

/// What the runs came to.
struct solution {
    std::size_t sweeps = 0;
    double residual = 0, error = 0; ///< the largest, over the largest of zero; against the exact solution
    std::vector<apps::measurement> rows;
    apps::field drawn;
};

std::size_t inner(const options& o) { return o.size - 2; }

void measure_device(const std::string& device, solution& all, const options& o, const skelrt::runtime& rt)
{
    const skelrt::only here(apps::set_of(device));
    const apps::product exact = apps::poisson_problem(o.problem, o.size);
    const equations e = equations_of(exact, inner(o));
    const grid zero(inner(o), inner(o), 0.0);
    const double at_first = largest_residual(zero, e);
    grid now(inner(o), inner(o), skelrt::uninitialized);
    all.rows.push_back(apps::measure(device, rt, o.repeat, [&] {
        all.sweeps = o.sweeps;
        if (o.until) all.sweeps = solve_until(now, zero, e, *o.until * at_first, o.check_every, o.sweeps);
        else sweeps(now, zero, e, o.sweeps);
        skelrt::wait(now);
    }));
    all.residual = at_first > 0 ? largest_residual(now, e) / at_first : 0;
    all.error = error_of(now, exact);
    if (o.check) all.rows.back().check = compare_with_loops(now, e, all.sweeps);
    if (!o.picture.empty()) all.drawn = apps::field_of(now);
}

std::vector<apps::rate> rates_of(const solution& s, const options& o)
{
    const double points = static_cast<double>(inner(o) * inner(o)) * static_cast<double>(s.sweeps);
    return {{"Gpoints/s", points * 1e-9, "points_per_s", 1e9},
            {"GB/s", points * 6 * sizeof(double) * 1e-9, "bytes_per_s", 1e9}};
}

void draw(const solution& s, const options& o)
{
    apps::plot p(s.drawn, {"x", 0, 1}, {"y", 0, 1}, {0, apps::colour_limit(s.drawn, 1.0), apps::dark_to_light, 10});
    apps::write_png(o.picture, p.finished({fmt::format("Problem {} after {} sweeps of red-black over-relaxation",
                                                       o.problem, s.sweeps),
                                           fmt::format("{} x {} points", o.size, o.size), "u"}));
    fmt::print("picture: {}\n", o.picture.string());
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    fmt::print("Red-black over-relaxation, problem {} on {} x {} points\n\n", o.problem, o.size, o.size);
    solution s;
    for (const auto& device : devices) measure_device(device, s, o, rt);
    fmt::print("{} sweeps; a GB/s is four reads and two writes of a point per sweep\n\n{}\n", s.sweeps,
               apps::table_of(s.rows, rates_of(s, o)));
    fmt::print(
        "after {} sweeps: largest residual {:.3g} of the first; largest difference to the exact solution {:.3g}\n",
        s.sweeps, s.residual, s.error);
    if (o.check) fmt::print("{}", apps::check_text(s.rows, {"values of plain loops", "", "the largest"}));
    if (!o.csv.empty())
        apps::write_csv(o.csv, {{{{"problem", std::to_string(o.problem)},
                                  {"size", std::to_string(o.size)},
                                  {"sweeps", std::to_string(s.sweeps)},
                                  {"residual", fmt::format("{:.6g}", s.residual)},
                                  {"error", fmt::format("{:.6g}", s.error)}},
                                 s.rows,
                                 rates_of(s, o)}});
    if (!o.picture.empty()) draw(s, o);
    fmt::print("{}", apps::figure("sor_hybrid_vs_gpu", s.rows, "hybrid", apps::gpu_of(s.rows)));
    return apps::all_good(s.rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace sor

int main(int argc, char** argv)
{
    return apps::run_program("sor", [&] {
        const auto options = sor::read_options(argc, argv);
        return options ? sor::run(*options) : apps::all_well;
    });
}
