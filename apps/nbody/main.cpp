// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/canvas.hpp"
#include "apps/shared/colours.hpp"
#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/report.hpp"

#include <cmath>

#include <fmt/format.h>

namespace nbody
{
namespace
{

/// Bodies from above; fast ones are light.
void draw(const cluster& c, const std::filesystem::path& file)
{
    constexpr int side = 900;
    apps::canvas to(side, side, {0.02f, 0.02f, 0.05f});
    const auto bodies = skelrt::host_read(c.bodies());
    const auto speeds = skelrt::host_read(c.speeds());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const vec3 v = speeds[i];
        const float speed = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
        to.disc({side * (0.5f + bodies[i].x / 12), side * (0.5f - bodies[i].y / 12)}, 1.4f,
                apps::dark_to_light(0.35f + 0.6f * speed), 0.7f);
    }
    apps::write_png(file, to.finished());
    fmt::print("picture: {}\n", file.string());
}

double pairs_of(const options& o)
{
    return static_cast<double>(o.bodies) * static_cast<double>(o.bodies) * static_cast<double>(o.steps);
}

apps::problem_rows rows_of(const options& o)
{
    // As others count: 20 operations a pair, the reciprocal root among them.
    return {{{"bodies", std::to_string(o.bodies)}, {"steps", std::to_string(o.steps)}},
            {},
            {{"Gpairs/s", pairs_of(o) * 1e-9, "pairs_per_s", 1e9}, {"GFLOP/s", 20 * pairs_of(o) * 1e-9, ""}}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    const cluster start(o.bodies, o.softening);
    apps::outcome all{"nbody", rows_of(o), {"coordinates, and the energy's drift", "", "a cluster's distance"}};
    std::optional<reference> right;
    if (o.check) right.emplace(start, o), all.reference_seconds = right->seconds();
    fmt::print("{} bodies, {} leapfrog steps of {}\n\n", o.bodies, o.steps, o.dt);
    for (const auto& device : devices) {
        const skelrt::only here(apps::set_of(device));
        cluster c = start;
        auto& row = all.problem.rows.emplace_back(apps::measure(
            device, rt, o.repeat, [&] { c = start; },
            [&] {
                c.steps(o.steps, o.dt);
                skelrt::wait(c.speeds());
            }));
        const double before = start.energy(), after = c.energy(), drift = before != 0 ? after / before - 1 : 0;
        fmt::print("{}: energy {:.6f}, before {:.6f}: a drift of {:.1e}\n", device, after, before, drift);
        if (o.check) row.check = right->compare(c, drift);
        if (!o.picture.empty() && device == devices.back()) draw(c, o.picture);
    }
    fmt::print("\n");
    return apps::report(o, all);
}

} // namespace
} // namespace nbody

int main(int argc, char** argv)
{
    return apps::run_program("nbody", [&] {
        const auto options = nbody::read_options(argc, argv);
        return options ? nbody::run(*options) : apps::all_well;
    });
}
