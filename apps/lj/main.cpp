// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/canvas.hpp"
#include "apps/shared/picture/colours.hpp"
#include "apps/shared/trial.hpp"

#include <cmath>

#include <fmt/format.h>

namespace lj
{
namespace
{

struct options : apps::common_options {
    std::size_t edge = 16, steps = 50; ///< lattice cells of 4 atoms along an edge of the box
    float dt = 0.004f, density = 0.8442f, temperature = 1.44f, cutoff = 2.5f;
};

/// Atoms near the middle of the box; fast ones are light.
apps::image drawn(const fluid& f)
{
    constexpr float side = 900;
    apps::canvas to(static_cast<int>(side), static_cast<int>(side), {0.03f, 0.03f, 0.06f});
    const float edge = f.box().edge;
    for (const atom& a : skelrt::host_read(f.atoms()))
        if (std::abs(a.at.z - edge / 2) <= 0.6f)
            to.disc({side * a.at.x / edge, side * (1 - a.at.y / edge)}, 0.45f * side / edge,
                    apps::dark_to_light(0.3f + 0.2f * std::sqrt(square_of(a.speed))));
    return to.finished();
}

/// The drift of the energy, which must stay small, and positions, as long as chaos has not parted the two.
apps::comparison compare(const fluid& f, double drift, const std::vector<atom>& right, double time)
{
    apps::comparison result{1e-3};
    result.add(drift, 0, 10, [] { return "the drift of the energy"; });
    if (time > 1) return result;
    for (const atom& a : skelrt::host_read(f.atoms())) {
        const vec3 off = apart(a.at, right[a.number].at, f.box().edge);
        result.add(std::sqrt(square_of(off)), 0, 1, [&] { return fmt::format("atom {}, too far by", a.number); });
    }
    return result;
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("lj", o, rt);
    const fluid start(o.edge, o.density, o.temperature, o.cutoff);
    const std::size_t atoms = start.atoms().size();
    std::vector<atom> right;
    t.reference([&] { right = plain_steps(start, o.steps, o.dt); });
    fmt::print("{} atoms in {}^3 cells, {} steps of {}\n\n", atoms, start.box().along, o.steps, o.dt);
    t.on_each([&](apps::turn& now) {
        fluid f = start;
        now.time([&] { f = start; },
                 [&] {
                     f.steps(o.steps, o.dt);
                     skelrt::wait(f.atoms());
                 });
        const double before = start.energy(), after = f.energy();
        fmt::print("{}: energy of an atom {:.5f}, before {:.5f}\n", now.device(), after, before);
        now.check([&] { return compare(f, after - before, right, static_cast<double>(o.steps) * o.dt); });
        now.picture([&] { return drawn(f); });
    });
    fmt::print("\n");
    return t.report({{"atoms", atoms}, {"steps", o.steps}},
                    {{"Matoms/s", 1e-6 * static_cast<double>(atoms * o.steps), "atom_steps_per_s", 1e6}},
                    {"the energy's drift, and positions", "", "10 for energies, 1 for distances"});
}

} // namespace
} // namespace lj

int main(int argc, char** argv)
{
    lj::options o;
    apps::command_line line("lj",
                            "Molecular dynamics of a Lennard-Jones fluid with cell lists: sk::sort_by_key, "
                            "sk::histogram, sk::exclusive_scan\nand maps, on the devices that you choose. Units of "
                            "sigma, epsilon and the mass.",
                            {false, "write a slice of the atoms after the steps to this PNG file"}, o);
    line.range("--edge", o.edge, 1, 256, "the box has 4 edge^3 atoms");
    line.range("--steps", o.steps, 0, 100'000'000, "of each run");
    line.range("--dt", o.dt, 1e-6f, 0.01f, "time of a step");
    line.range("--density", o.density, 0.01f, 1.2f, "atoms a volume");
    line.range("--temperature", o.temperature, 0.0f, 10.0f, "at the start");
    line.option("--cutoff", o.cutoff, "distance beyond which atoms do not feel each other");
    line.check([&] {
        const auto atoms = static_cast<float>(4 * o.edge * o.edge * o.edge);
        apps::check_range("--cutoff (a third of the box at most)", o.cutoff, 1.0f,
                          std::cbrt(atoms / o.density) / 3.001f);
    });
    return apps::run_program(line, argc, argv, [&] { return lj::run(o); });
}
