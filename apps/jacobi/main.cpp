// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/field_of.hpp"
#include "apps/shared/plot.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace jacobi
{
namespace
{

/// One problem and what its runs came to.
struct solution {
    int number;
    product exact;
    std::size_t steps = 0; ///< that were made
    double error = 0;      ///< against the exact solution
    std::vector<apps::measurement> rows;
    apps::field drawn;
};

std::size_t inner(const options& o) { return o.size - 2; }

void measure_device(const std::string& device, solution& s, const options& o, const skelrt::runtime& rt)
{
    const grid zero(inner(o), inner(o), 0.0);
    grid now(inner(o), inner(o), skelrt::uninitialized);
    const skelrt::only here(apps::set_of(device));
    const grid source = source_of(s.exact, inner(o), inner(o));
    s.rows.push_back(apps::measure(device, rt, o.repeat, [&] {
        s.steps = o.steps;
        if (o.until) s.steps = solve_until(now, zero, source, s.exact.h, *o.until, o.check_every, o.steps);
        else solve(now, zero, source, s.exact.h, o.steps);
        skelrt::wait(now);
    }));
    s.error = error_of(now, s.exact);
    if (o.check) s.rows.back().check = reference(s.exact, o.size, s.steps).compare(now);
    if (!o.picture.empty()) s.drawn = apps::field_of(now);
}

std::vector<apps::rate> rates_of(const solution& s, const options& o)
{
    const double points = static_cast<double>(inner(o) * inner(o)) * static_cast<double>(s.steps);
    return {{"Gpoints/s", points * 1e-9, "points_per_s", 1e9},
            {"GB/s", points * 3 * sizeof(double) * 1e-9, "bytes_per_s", 1e9}};
}

void print_result(const solution& s, const options& o)
{
    fmt::print("problem {}: {} steps; a GB/s is two reads and one write of a point per step\n\n{}\n", s.number, s.steps,
               apps::table_of(s.rows, rates_of(s, o)));
    fmt::print("largest difference to the exact solution after {} steps: {:.3g}\n", s.steps, s.error);
    if (o.check)
        fmt::print("{}", apps::check_text(s.rows, {"points with what Jacobi's method has exactly", "", "the largest"}));
    fmt::print("\n");
    std::fflush(stdout);
}

void draw(const solution& s, const options& o)
{
    const float limit = apps::colour_limit(s.drawn, 1.0);
    apps::plot p(s.drawn, {"x", 0, 1}, {"y", 0, 1}, {0, limit, apps::dark_to_light, 10});
    apps::write_png(o.picture, p.finished({fmt::format("Problem {} after {} Jacobi steps", s.number, s.steps),
                                           fmt::format("{} x {} points", o.size, o.size), "u"}));
    fmt::print("picture: {}\n", o.picture.string());
}

apps::problem_rows csv_of(const solution& s, const options& o)
{
    return {{{"problem", std::to_string(s.number)},
             {"size", std::to_string(o.size)},
             {"steps", std::to_string(s.steps)},
             {"error", fmt::format("{:.6g}", s.error)}},
            s.rows,
            rates_of(s, o)};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    fmt::print("Jacobi's method on {} x {} points\n\n", o.size, o.size);
    std::vector<solution> all;
    for (const int number : {1, 2}) {
        if (o.problem != 0 && o.problem != number) continue;
        solution& s = all.emplace_back(solution{number, apps::poisson_problem(number, o.size), 0, 0, {}, {}});
        for (const auto& device : devices) measure_device(device, s, o, rt);
        print_result(s, o);
    }
    if (!o.csv.empty()) {
        std::vector<apps::problem_rows> problems;
        for (const solution& s : all) problems.push_back(csv_of(s, o));
        apps::write_csv(o.csv, problems);
    }
    if (!o.picture.empty()) draw(all.back(), o);
    bool good = true;
    for (const solution& s : all) {
        good = good && apps::all_good(s.rows);
        fmt::print("{}", apps::figure(fmt::format("jacobi{}_hybrid_vs_gpu", s.number), s.rows, "hybrid",
                                      apps::gpu_of(s.rows)));
    }
    return good ? apps::all_well : apps::failed;
}

} // namespace
} // namespace jacobi

int main(int argc, char** argv)
{
    return apps::run_program("jacobi", [&] {
        const auto options = jacobi::read_options(argc, argv);
        return options ? jacobi::run(*options) : apps::all_well;
    });
}
