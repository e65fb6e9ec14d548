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

namespace lj
{
namespace
{

/// Atoms near the middle of the box; fast ones are light.
void draw(const fluid& f, const std::filesystem::path& file)
{
    constexpr float side = 900;
    apps::canvas to(static_cast<int>(side), static_cast<int>(side), {0.03f, 0.03f, 0.06f});
    const float edge = f.box().edge;
    for (const atom& a : skelrt::host_read(f.atoms())) {
        if (std::abs(a.at.z - edge / 2) > 0.6f) continue;
        const float speed = std::sqrt(a.speed.x * a.speed.x + a.speed.y * a.speed.y + a.speed.z * a.speed.z);
        to.disc({side * a.at.x / edge, side * (1 - a.at.y / edge)}, 0.45f * side / edge,
                apps::dark_to_light(0.3f + 0.2f * speed));
    }
    apps::write_png(file, to.finished());
    fmt::print("picture: {}\n", file.string());
}

apps::problem_rows rows_of(const options& o, std::size_t atoms)
{
    const double steps = static_cast<double>(atoms) * static_cast<double>(o.steps);
    return {{{"atoms", std::to_string(atoms)}, {"steps", std::to_string(o.steps)}},
            {},
            {{"Matoms/s", steps * 1e-6, "atom_steps_per_s", 1e6}}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    const fluid start(o.edge, o.density, o.temperature, o.cutoff);
    const std::size_t atoms = start.atoms().size();
    apps::outcome all{
        "lj", rows_of(o, atoms), {"the energy's drift, and positions", "", "10 for energies, 1 for distances"}};
    std::optional<reference> right;
    if (o.check) right.emplace(start, o), all.reference_seconds = right->seconds();
    fmt::print("{} atoms in {}^3 cells, {} steps of {}\n\n", atoms, start.box().along, o.steps, o.dt);
    for (const auto& device : devices) {
        const skelrt::only here(apps::set_of(device));
        fluid f = start;
        auto& row = all.problem.rows.emplace_back(apps::measure(
            device, rt, o.repeat, [&] { f = start; },
            [&] {
                f.steps(o.steps, o.dt);
                skelrt::wait(f.atoms());
            }));
        const double before = start.energy(), after = f.energy();
        fmt::print("{}: energy of an atom {:.5f}, before {:.5f}\n", device, after, before);
        if (o.check) row.check = right->compare(f, after - before);
        if (!o.picture.empty() && device == devices.back()) draw(f, o.picture);
    }
    fmt::print("\n");
    return apps::report(o, all);
}

} // namespace
} // namespace lj

int main(int argc, char** argv)
{
    return apps::run_program("lj", [&] {
        const auto options = lj::read_options(argc, argv);
        return options ? lj::run(*options) : apps::all_well;
    });
}
