#include "measure.hpp"
#include "options.hpp"
#include "picture.hpp"
#include "rival.hpp"
#include "table.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

enum exit_code { all_well = 0, failed = 1, wrong_input = 2 };

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

measurement measure_rival(const grid& g, const molecule& m, const options& o)
{
    if (!rival::is_built()) throw input_error("--rival: this program was built without nvcc, so it has no rival");
    field f(g);
    std::vector<rival::charge> charges;
    for (const auto& a : m.atoms)
        charges.push_back({static_cast<float>(a.at[0]), static_cast<float>(a.at[1]), static_cast<float>(a.at[2]),
                           static_cast<float>(a.charge)});
    const auto& w = g.where;
    const rival::problem p{charges.data(), charges.size(), g.rows(), g.runs(), w.ny,    w.x0,   w.y0,
                           w.z0,           w.hx,           w.hy,     w.hz,     w.scale, w.near2};
    measurement result{"rival", "", std::vector<double>(static_cast<std::size_t>(o.repeat)), {}};
    {
        const auto values = skelrt::host_write(f.values);
        if (const char* error = rival::run(p, 2, o.repeat, result.seconds.data(), values.data()->v))
            throw input_error(fmt::format("--rival: {}", error));
    }
    result.hardware = fmt::format("hand-written CUDA, {}", rival::gpu_name());
    std::ranges::sort(result.seconds);
    if (o.check) result.check = compare(g, values_of(f), m);
    return result;
}

bool all_good(const std::vector<measurement>& rows)
{
    return std::ranges::all_of(rows, [](const auto& r) { return r.check.good(); });
}

void print_check(const std::vector<measurement>& rows)
{
    double absolute = 0;
    for (const auto& r : rows) absolute = std::max(absolute, r.check.absolute);
    fmt::print("check: {} sample points in double precision; largest error {:.2g} kJ/(mol e); relative to the sum of\n"
               "magnitudes at most {:.0e} is good: {}\n",
               rows.front().check.samples, absolute, tolerance, all_good(rows) ? "all good" : "WRONG");
}

int run(const options& o)
{
    const molecule m = read_system(o);
    const grid g(surroundings(m), o.grid);
    const skelrt::runtime rt;
    const auto devices = devices_for(o.device, rt);
    print_system(m, g);
    std::vector<measurement> rows;
    std::vector<float> values;
    for (const auto& device : devices) {
        field f(g); // a new one for each device: nothing is left of the others
        rows.push_back(measure(device, f, m, o, rt));
        if (device == devices.back() && !o.picture.empty()) values = values_of(f);
    }
    if (o.rival) rows.push_back(measure_rival(g, m, o));

    const double pairs = static_cast<double>(g.points()) * static_cast<double>(m.atoms.size());
    fmt::print("{}\n", table_of(rows, pairs));
    if (o.check) print_check(rows);
    if (!o.csv.empty()) write_csv(o.csv, rows, g, m.atoms.size());
    if (!o.picture.empty()) {
        draw(o.picture, g, values, m, o.slice.value_or(o.grid[2] / 2));
        fmt::print("picture: {}\n", o.picture.string());
    }
    fmt::print("{}", figures_of(rows));
    return o.check && !all_good(rows) ? failed : all_well;
}

} // namespace
} // namespace coulomb

int main(int argc, char** argv)
{
    try {
        const auto options = coulomb::read_options(argc, argv);
        return options ? coulomb::run(*options) : coulomb::all_well;
    } catch (const coulomb::input_error& e) {
        fmt::print(stderr, "coulomb: {}\n", e.what());
        return coulomb::wrong_input;
    } catch (const std::exception& e) {
        fmt::print(stderr, "coulomb: {}\n", e.what());
        return coulomb::failed;
    }
}
