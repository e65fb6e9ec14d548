// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/canvas.hpp"
#include "apps/shared/picture/colours.hpp"
#include "apps/shared/trial.hpp"

#include <cmath>

#include <fmt/format.h>

namespace nbody
{
namespace
{

struct options : apps::common_options {
    std::size_t bodies = 8192, steps = 10;
    float dt = 0.01f, softening = 0.05f;
};

/// Bodies from above; fast ones are light.
apps::image drawn(const cluster& c)
{
    constexpr int side = 900;
    apps::canvas to(side, side, {0.02f, 0.02f, 0.05f});
    const auto bodies = skelrt::host_read(c.bodies());
    const auto speeds = skelrt::host_read(c.speeds());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        to.disc({side * (0.5f + bodies[i].x / 12), side * (0.5f - bodies[i].y / 12)}, 1.4f,
                apps::dark_to_light(0.35f + 0.6f * std::sqrt(square_of(speeds[i]))), 0.7f);
    }
    return to.finished();
}

/// Positions relative to the distance between the clusters, and the drift of the energy, which must stay small.
apps::comparison compare(const cluster& c, double drift, const plain_cluster& right)
{
    std::vector<float> positions;
    for (const body& b : skelrt::host_read(c.bodies())) positions.insert(positions.end(), {b.x, b.y, b.z});
    auto result = apps::compare(1e-4, positions, right.positions(), 3.0, apps::numbered("coordinate"));
    result.add(drift, 0.0, 10.0, [] { return "the drift of the energy"; });
    return result;
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("nbody", o, rt);
    const cluster start(o.bodies, o.softening);
    plain_cluster right(start, o.softening);
    t.reference([&] { right.steps(o.steps, o.dt); });
    fmt::print("{} bodies, {} leapfrog steps of {}\n\n", o.bodies, o.steps, o.dt);
    t.on_each([&](apps::turn& now) {
        cluster c = start;
        now.time([&] { c = start; },
                 [&] {
                     c.steps(o.steps, o.dt);
                     skelrt::wait(c.speeds());
                 });
        const double before = start.energy(), after = c.energy(), drift = before != 0 ? after / before - 1 : 0;
        fmt::print("{}: energy {:.6f}, before {:.6f}: a drift of {:.1e}\n", now.device(), after, before, drift);
        now.check([&] { return compare(c, drift, right); });
        now.picture([&] { return drawn(c); });
    });
    fmt::print("\n");
    // As others count: 20 operations a pair, the reciprocal root among them.
    const double pairs = 1e-9 * static_cast<double>(o.bodies * o.bodies * o.steps);
    return t.report({{"bodies", o.bodies}, {"steps", o.steps}},
                    {{"Gpairs/s", pairs, "pairs_per_s", 1e9}, {"GFLOP/s", 20 * pairs, ""}},
                    {"coordinates, and the energy's drift", "", "a cluster's distance"});
}

} // namespace
} // namespace nbody

int main(int argc, char** argv)
{
    nbody::options o;
    apps::command_line line(
        "nbody",
        "Two star clusters meet: gravity between all pairs of bodies by sk::map_pairs_reduce, and "
        "leapfrog steps,\non the devices that you choose. The constant of gravity and the total mass "
        "are 1.",
        {false, "write the bodies after the steps to this PNG file"}, o);
    line.range("--bodies", o.bodies, 1, 1 << 22, "how many");
    line.range("--steps", o.steps, 0, 1'000'000, "of each run");
    line.range("--dt", o.dt, 1e-6f, 1.0f, "time of a step");
    line.range("--softening", o.softening, 1e-3f, 10.0f, "length below which attraction fades");
    return apps::run_program(line, argc, argv, [&] { return nbody::run(o); });
}
