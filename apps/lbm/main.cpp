// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/field_of.hpp"
#include "apps/shared/plot.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/report.hpp"

#include <fmt/format.h>

namespace lbm
{
namespace
{

void draw(const lattice& l, const options& o)
{
    const apps::field curl = apps::field_of(vorticity(l));
    const float limit = apps::colour_limit(curl, 0.99);
    apps::plot p(curl, {"x", 0, static_cast<double>(o.wind.cols)}, {"y", 0, static_cast<double>(o.wind.rows)},
                 {-limit, limit, apps::blue_to_red});
    p.picture().disc(p.pixel_of(o.wind.x, o.wind.y), o.wind.radius * p.pixels_per_x(), apps::plot::faint);
    apps::write_png(
        o.picture,
        p.finished({fmt::format("Vorticity after {} steps", o.steps),
                    fmt::format("{} x {} cells, Reynolds' number {}", o.wind.cols, o.wind.rows, o.reynolds), "curl"}));
    fmt::print("picture: {}\n", o.picture.string());
}

apps::problem_rows rows_of(const options& o)
{
    const double cells = static_cast<double>(o.wind.rows) * o.wind.cols * static_cast<double>(o.steps);
    return {
        {{"columns", std::to_string(o.wind.cols)},
         {"rows", std::to_string(o.wind.rows)},
         {"steps", std::to_string(o.steps)}},
        {},
        {{"MLUPS", cells * 1e-6, "cells_per_s", 1e6}, {"GB/s", cells * 2 * sizeof(cell) * 1e-9, "bytes_per_s", 1e9}}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    apps::outcome all{"lbm", rows_of(o), {"densities after all steps", "", "1/9"}};
    std::optional<reference> right;
    if (o.check) right.emplace(o), all.reference_seconds = right->seconds();
    fmt::print("{} x {} cells, {} steps, Reynolds' number {}; MLUPS: millions of cells a second\n\n", o.wind.cols,
               o.wind.rows, o.steps, o.reynolds);
    for (const auto& device : devices) {
        const skelrt::only here(apps::set_of(device));
        const lattice start = wind(o.wind);
        lattice end(start.rows(), start.cols(), skelrt::uninitialized);
        auto& row = all.problem.rows.emplace_back(apps::measure(device, rt, o.repeat, [&] {
            advance(end, start, o.steps, o.wind);
            skelrt::wait(end);
        }));
        if (o.check) row.check = right->compare(end);
        if (!o.picture.empty() && device == devices.back()) draw(end, o);
    }
    return apps::report(o, all);
}

} // namespace
} // namespace lbm

int main(int argc, char** argv)
{
    return apps::run_program("lbm", [&] {
        const auto options = lbm::read_options(argc, argv);
        return options ? lbm::run(*options) : apps::all_well;
    });
}
