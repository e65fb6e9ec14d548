// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"
#include "picture.hpp"
#include "potential.hpp"
#include "reference.hpp"
#include "rival.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/rival.hpp"
#include "apps/shared/table.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

/// What one interaction costs: 8 additions, multiplications and fused ones counted as two, and the reciprocal root and
/// the comparison as one each. For orientation; interactions per second is the number to compare.
constexpr double flops_per_pair = 9;

molecule read_system(const options& o)
{
    const bool given = !o.input.empty();
    return replicate(read_molecule(given ? o.input : std::filesystem::path(COULOMB_DATA) / "spc216.gro"), o.copies);
}

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
    std::fflush(stdout);
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
    auto result = apps::rival::measure(o.repeat, [&](int untimed, int repeat, auto* seconds) {
        const auto values = skelrt::host_write(f.values);
        return rival::run(problem_of(g, charges), untimed, repeat, seconds, values.data()->v);
    });
    if (o.check) result.check = compare(g, values_of(f), m);
    return result;
}

apps::measurement measure_device(const std::string& device, field& f, const molecule& m, const options& o,
                                 const skelrt::runtime& rt)
{
    const auto charges = charges_of(m);
    auto result = apps::measure(device, rt, o.repeat, [&] {
        compute(f, charges);
        skelrt::wait(f.values);
    });
    if (o.check) result.check = compare(f.where, values_of(f), m);
    return result;
}

std::vector<apps::rate> rates_of(const grid& g, const molecule& m)
{
    const double pairs = static_cast<double>(g.points()) * static_cast<double>(m.atoms.size());
    return {{"Gpairs/s", pairs * 1e-9, "pairs_per_s", 1e9}, {"GFLOP/s", pairs * flops_per_pair * 1e-9, ""}};
}

apps::problem_fields fields_of(const grid& g, const molecule& m)
{
    return {{"nx", std::to_string(g.size[0])},
            {"ny", std::to_string(g.size[1])},
            {"nz", std::to_string(g.size[2])},
            {"atoms", std::to_string(m.atoms.size())}};
}

int run(const options& o)
{
    const molecule m = read_system(o);
    const grid g(surroundings(m), o.grid);
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    print_system(m, g);
    std::vector<apps::measurement> rows;
    std::vector<float> values;
    for (const auto& device : devices) {
        field f(g); // a new one for each device: nothing is left of the others
        rows.push_back(measure_device(device, f, m, o, rt));
        if (device == devices.back() && !o.picture.empty()) values = values_of(f);
    }
    if (o.rival) rows.push_back(measure_rival(g, m, o));

    fmt::print("{}\n", apps::table_of(rows, rates_of(g, m)));
    if (o.check)
        fmt::print("{}", apps::check_text(
                             rows, {"sample points in double precision", " kJ/(mol e)", "the sum of magnitudes"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, {{fields_of(g, m), rows, rates_of(g, m)}});
    if (!o.picture.empty()) {
        draw(o.picture, g, values, m, o.slice.value_or(o.grid[2] / 2));
        fmt::print("picture: {}\n", o.picture.string());
    }
    fmt::print("{}{}", apps::figure("coulomb_gpu_vs_hand", rows, "cuda", "rival"),
               apps::figure("coulomb_hybrid_vs_gpu", rows, "hybrid", apps::gpu_of(rows)));
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace coulomb

int main(int argc, char** argv)
{
    return apps::run_program("coulomb", [&] {
        const auto options = coulomb::read_options(argc, argv);
        return options ? coulomb::run(*options) : apps::all_well;
    });
}
