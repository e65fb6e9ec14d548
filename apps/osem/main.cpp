// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/plot.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/report.hpp"

#include <fmt/format.h>

namespace osem
{
namespace
{

void draw(const image& result, const options& o)
{
    const auto n = static_cast<std::size_t>(o.size);
    const auto from = skelrt::host_read(result);
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(n / 2 * n * n);
    const apps::field slice{n, n, std::vector<float>(first, first + static_cast<std::ptrdiff_t>(n * n))};
    apps::plot p(slice, {"x", 0, static_cast<double>(n)}, {"y", 0, static_cast<double>(n)},
                 {0, apps::colour_limit(slice, 0.995), apps::dark_to_light});
    apps::write_png(
        o.picture,
        p.finished({"Activity, the slice in the middle",
                    fmt::format("{} decays, {} subsets, {} iterations", o.events, o.subsets, o.iterations), "decays"}));
    fmt::print("picture: {}\n", o.picture.string());
}

apps::problem_rows rows_of(const options& o)
{
    const double paths = static_cast<double>(o.events / o.subsets * o.subsets * o.iterations);
    return {{{"size", std::to_string(o.size)},
             {"events", std::to_string(o.events)},
             {"subsets", std::to_string(o.subsets)},
             {"iterations", std::to_string(o.iterations)}},
            {},
            {{"Mevents/s", paths * 1e-6, "events_per_s", 1e6}}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    const events seen = phantom(o.events, o.size), calibration = flood(o.events, o.size);
    apps::outcome all{"osem", rows_of(o), {"voxels in double precision", "", "the brightest"}};
    std::optional<reference> right;
    if (o.check) right.emplace(seen, calibration, o), all.reference_seconds = right->seconds();
    fmt::print("{}^3 voxels, {} events in {} subsets, {} iterations\n\n", o.size, o.events, o.subsets, o.iterations);
    for (const auto& device : devices) {
        const skelrt::only here(apps::set_of(device));
        reconstruction r(seen, calibration, o.size, o.subsets);
        auto& row = all.problem.rows.emplace_back(apps::measure(device, rt, o.repeat, [&] {
            r.run(o.iterations);
            skelrt::wait(r.result());
        }));
        if (o.check) row.check = right->compare(r.result());
        if (!o.picture.empty() && device == devices.back()) draw(r.result(), o);
    }
    return apps::report(o, all);
}

} // namespace
} // namespace osem

int main(int argc, char** argv)
{
    return apps::run_program("osem", [&] {
        const auto options = osem::read_options(argc, argv);
        return options ? osem::run(*options) : apps::all_well;
    });
}
