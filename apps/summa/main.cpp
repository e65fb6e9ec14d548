// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/blas/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace summa
{
namespace
{

cutting cutting_of(const options& o)
{
    if (o.shape == "rows") return cutting::rows(o.tile, o.size);
    return cutting::squares(o.tile, o.panel > 0 ? o.panel : o.size);
}

template <class T>
apps::measurement measure_device(const std::string& device, const options& o, skelrt::device_set on,
                                 const skelrt::runtime& rt)
{
    product<T> p(o.size, cutting_of(o), on); // a new one for each device
    auto result = apps::measure(device, rt, o.repeat, [&] {
        p.start();
        p.wait();
    });
    if (o.check) result.check = compare(p.result(), p.left(), p.right());
    return result;
}

std::vector<apps::rate> rates_of(const options& o)
{
    const double n = static_cast<double>(o.size);
    return {{"GFLOP/s", 2 * n * n * n * 1e-9, "flop_per_s", 1e9}};
}

apps::problem_fields fields_of(const options& o)
{
    return {{"n", std::to_string(o.size)},
            {"tile", std::to_string(o.tile)},
            {"panel", std::to_string(o.panel)},
            {"shape", o.shape},
            {"type", o.type}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto [devices, on] = apps::blas::devices_for(o.device, rt);
    fmt::print("{0} x {0} {1}s, tiles of {2}: {3}\n\n", o.size, o.type, o.tile, o.shape);
    std::fflush(stdout);
    std::vector<apps::measurement> rows;
    for (const auto& device : devices)
        rows.push_back(o.type == "float" ? measure_device<float>(device, o, on, rt)
                                         : measure_device<double>(device, o, on, rt));

    fmt::print("{}\n", apps::table_of(rows, rates_of(o)));
    if (o.check) fmt::print("{}", apps::check_text(rows, {"rows of C x against A (B x)", "", "the sum of magnitudes"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, {{fields_of(o), rows, rates_of(o)}});
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace summa

int main(int argc, char** argv)
{
    return apps::run_program("summa", [&] {
        const auto options = summa::read_options(argc, argv);
        return options ? summa::run(*options) : apps::all_well;
    });
}
