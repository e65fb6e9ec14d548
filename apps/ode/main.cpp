// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/plot.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace ode
{
namespace
{

/// What the runs came to.
struct solution {
    control end{};
    std::vector<apps::measurement> rows;
    apps::field drawn;
};

apps::field field_of(const field& y)
{
    const auto from = skelrt::host_read(y);
    apps::field f{y.cols(), y.rows(), std::vector<float>(y.size())};
    std::ranges::transform(from, f.values.begin(), [](const species& s) { return static_cast<float>(s.u); });
    return f;
}

void measure_device(const std::string& device, solution& all, const options& o, const skelrt::runtime& rt)
{
    const skelrt::only here(apps::set_of(device));
    std::optional<solver> s;
    all.rows.push_back(apps::measure(device, rt, o.repeat, [&] {
        s.emplace(o.size, o.tolerance);
        s->integrate(o.end);
        skelrt::wait(s->values());
    }));
    all.end = s->now();
    if (o.check) all.rows.back().check = compare_with_loops(*s, o.tolerance, o.end);
    if (!o.picture.empty()) all.drawn = field_of(s->values());
}

std::vector<apps::rate> rates_of(const solution& s, const options& o)
{
    const double steps = s.end.accepted + s.end.refused, cells = static_cast<double>(o.size * o.size);
    return {{"steps/s", steps, "steps_per_s"}, {"Gcells/s", steps * cells * 1e-9, "cells_per_s", 1e9}};
}

void draw(const solution& s, const options& o)
{
    apps::plot p(s.drawn, {"x", 0, 1}, {"y", 0, 1}, {0, apps::colour_limit(s.drawn, 1.0), apps::dark_to_light, 10});
    apps::write_png(o.picture, p.finished({fmt::format("Brusselator with diffusion at t = {}", o.end),
                                           fmt::format("{} x {} cells", o.size, o.size), "u"}));
    fmt::print("picture: {}\n", o.picture.string());
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    fmt::print("Brusselator on {} x {} cells, to t = {}, tolerance {}\n\n", o.size, o.size, o.end, o.tolerance);
    solution s;
    for (const auto& device : devices) measure_device(device, s, o, rt);
    fmt::print("{:.0f} steps, and {:.0f} refused\n\n{}\n", s.end.accepted, s.end.refused,
               apps::table_of(s.rows, rates_of(s, o)));
    if (o.check) fmt::print("{}", apps::check_text(s.rows, {"values of plain loops", "", "1 + the value"}));
    if (!o.csv.empty())
        apps::write_csv(o.csv, {{{{"size", std::to_string(o.size)},
                                  {"end", fmt::format("{}", o.end)},
                                  {"tolerance", fmt::format("{}", o.tolerance)},
                                  {"steps", fmt::format("{:.0f}", s.end.accepted)},
                                  {"refused", fmt::format("{:.0f}", s.end.refused)}},
                                 s.rows,
                                 rates_of(s, o)}});
    if (!o.picture.empty()) draw(s, o);
    fmt::print("{}", apps::figure("ode_hybrid_vs_gpu", s.rows, "hybrid", apps::gpu_of(s.rows)));
    return apps::all_good(s.rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace ode

int main(int argc, char** argv)
{
    return apps::run_program("ode", [&] {
        const auto options = ode::read_options(argc, argv);
        return options ? ode::run(*options) : apps::all_well;
    });
}
