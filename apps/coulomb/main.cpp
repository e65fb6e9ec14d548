// SPDX-License-Identifier: BSD-3-Clause
#include "potential.hpp"
#include "reference.hpp"
#include "rival.hpp"

#include "apps/shared/picture/plot.hpp"
#include "apps/shared/rival.hpp"
#include "apps/shared/trial.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

using apps::plot;

struct options : apps::common_options {
    std::filesystem::path input = std::filesystem::path(COULOMB_DATA) / "spc216.gro";
    std::array<std::size_t, 3> copies{1, 1, 1}; ///< of the periodic box
    extents grid{128, 128, 128};
    int slice = 0; ///< z index
};

constexpr double reach = 0.09; ///< nm: atoms as near to the slice as this are drawn
constexpr int lines = 20;      ///< contour lines

apps::axis axis_of(const char* label, float first, float step, std::size_t count)
{
    const double low = static_cast<double>(first) - 0.5 * static_cast<double>(step);
    return {label, low, low + static_cast<double>(step) * static_cast<double>(count)};
}

/// Nearer to the slice is more solid.
void draw_atom(apps::canvas& to, apps::point at, float radius, bool light, float nearness)
{
    const float weight = 0.25f + 0.75f * nearness;
    to.disc(at, radius, plot::ink, weight);
    to.disc(at, radius - 1.6f, light ? plot::paper : apps::colour{0.30f, 0.32f, 0.37f}, weight);
}

void draw_atoms(plot& to, const molecule& m, double z)
{
    for (const auto& a : m.atoms) {
        const double away = std::abs(a.at[2] - z) / reach;
        const apps::point p = to.pixel_of(a.at[0], a.at[1]);
        if (away > 1 || !to.inside(p)) continue;
        const float radius = (a.element == 'H' ? 0.018f : 0.032f) * to.pixels_per_x();
        draw_atom(to.picture(), p, std::clamp(radius, 1.5f, 16.0f), a.element == 'H', static_cast<float>(1 - away));
    }
}

/// Slice z with contour lines, the atoms near it, and axes in nm.
apps::image drawn(const grid& g, const std::vector<float>& values, const molecule& m, std::size_t z)
{
    const float* const first = values.data() + z * g.size[0] * g.size[1];
    const apps::field slice{g.size[0], g.size[1], {first, first + g.size[0] * g.size[1]}};
    const float limit = apps::colour_limit(slice, 0.97);
    plot p(slice, axis_of("x / nm", g.where.x0, g.where.hx, g.size[0]),
           axis_of("y / nm", g.where.y0, g.where.hy, g.size[1]), {-limit, limit, apps::blue_to_red, lines});
    const double height = g.position({0, 0, z})[2];
    draw_atoms(p, m, height);
    return p.finished({fmt::format("Coulomb potential at z = {:.3f} nm", height),
                       fmt::format("{} atoms, {} x {} x {} points", m.atoms.size(), g.size[0], g.size[1], g.size[2]),
                       "kJ/(mol e)"});
}

/// What one interaction costs: 8 additions, multiplications and fused ones counted as two, and the reciprocal root and
/// the comparison as one each. For orientation; interactions per second is the number to compare.
constexpr double flops_per_pair = 9;

void print_system(const molecule& m, const grid& g)
{
    double charge = 0;
    for (const auto& a : m.atoms) charge += a.charge;
    fmt::print("{}\n", m.title);
    fmt::print("{} atoms, total charge {:.3f} e; {} x {} x {} grid points, {:.4f} x {:.4f} x {:.4f} nm apart; {:.3g} "
               "interactions\n\n",
               m.atoms.size(), charge + 0.0005 * (charge > -0.0005 && charge < 0), g.size[0], g.size[1], g.size[2],
               g.where.hx, g.where.hy, g.where.hz,
               static_cast<double>(g.points()) * static_cast<double>(m.atoms.size()));
}

rival::problem problem_of(const grid& g, const std::vector<rival::charge>& charges)
{
    const auto& w = g.where;
    return {charges.data(), charges.size(), g.rows(), g.runs(), w.ny,    w.x0,   w.y0,
            w.z0,           w.hx,           w.hy,     w.hz,     w.scale, w.near2};
}

apps::measurement measure_rival(const grid& g, const molecule& m, const options& o)
{
    field f(g);
    std::vector<rival::charge> charges;
    for (const auto& a : m.atoms)
        charges.push_back({static_cast<float>(a.at[0]), static_cast<float>(a.at[1]), static_cast<float>(a.at[2]),
                           static_cast<float>(a.charge)});
    auto result = apps::rival::measure(o, [&](int untimed, int repeat, auto* seconds) {
        const auto values = skelrt::host_write(f.values);
        return rival::run(problem_of(g, charges), untimed, repeat, seconds, values.data()->v);
    });
    if (o.check) result.check = compare(g, values_of(f), m);
    return result;
}

int run(const options& o)
{
    const molecule m = replicate(read_molecule(o.input), o.copies);
    const grid g(surroundings(m), o.grid);
    const skelrt::runtime rt;
    apps::trial t("coulomb", o, rt);
    print_system(m, g);
    t.on_each([&](apps::turn& now) {
        field f(g); // a new one for each device: nothing is left of the others
        const auto charges = charges_of(m);
        now.time([&] {
            compute(f, charges);
            skelrt::wait(f.values);
        });
        now.check([&] { return compare(g, values_of(f), m); });
        now.picture([&] { return drawn(g, values_of(f), m, static_cast<std::size_t>(o.slice)); });
    });
    if (o.rival) t.add(measure_rival(g, m, o));
    t.figure("coulomb_gpu_vs_hand", "cuda", "rival");
    const double pairs = static_cast<double>(g.points()) * static_cast<double>(m.atoms.size());
    return t.report({{"nx", g.size[0]}, {"ny", g.size[1]}, {"nz", g.size[2]}, {"atoms", m.atoms.size()}},
                    {{"Gpairs/s", 1e-9 * pairs, "pairs_per_s", 1e9}, {"GFLOP/s", 1e-9 * pairs * flops_per_pair, ""}},
                    {"sample points in double precision", " kJ/(mol e)", "the sum of magnitudes"});
}

} // namespace
} // namespace coulomb

int main(int argc, char** argv)
{
    coulomb::options o;
    apps::command_line line(
        "coulomb",
        "Coulombic potential of a molecular system on a 3-D grid, in kJ/(mol e): the direct sum over "
        "all charges,\nwithout periodic images, by one sk::map on the devices that you choose.",
        {true, "write the slice to this PNG file"}, o);
    line.without_default("--input", o.input,
                         "molecule: a .gro file (SPC water, single ions) or a .pqr file; default: a water box");
    line.sizes("--replicate", o.copies, 100, "copies of the periodic box: NX,NY,NZ or one number");
    line.sizes("--grid", o.grid, 4096, "grid points: NX,NY,NZ or one number");
    line.without_default("--slice", o.slice, "z index of the slice that is drawn; default: the middle");
    line.check([&] {
        apps::check_range<std::size_t>("--grid, points", o.grid[0] * o.grid[1] * o.grid[2], 1, std::size_t{1} << 33);
        const int slices = static_cast<int>(o.grid[2]);
        if (!line.given("--slice")) o.slice = slices / 2;
        apps::check_range("--slice", o.slice, 0, slices - 1);
    });
    return apps::run_program(line, argc, argv, [&] { return coulomb::run(o); });
}
