#include "options.hpp"
#include "product.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <skelrt/host.hpp>

#include <cstdio>

#include <fmt/format.h>

namespace matmul
{
namespace
{

std::vector<apps::rate> rates_of(const options& o)
{
    const double flop =
        2.0 * static_cast<double>(o.size[0]) * static_cast<double>(o.size[1]) * static_cast<double>(o.size[2]);
    return {{"GFlop/s", flop * 1e-9, "flop_per_s", 1e9}};
}

apps::problem_fields fields_of(const options& o)
{
    return {{"rows", std::to_string(o.size[0])},
            {"columns", std::to_string(o.size[1])},
            {"depth", std::to_string(o.size[2])}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    fmt::print("{} x {} matrix times {} x {} matrix, single precision\n\n", o.size[0], o.size[2], o.size[2], o.size[1]);
    std::fflush(stdout);
    const matrix a = noise(o.size[0], o.size[2], 1), b = noise(o.size[2], o.size[1], 2);
    std::vector<apps::measurement> rows;
    for (const auto& device : devices) {
        matrix c(o.size[0], o.size[1], skelrt::uninitialized); // a new one for each device
        rows.push_back(apps::measure(device, rt, o.repeat, [&] {
            multiply(c, a, b);
            skelrt::wait(c);
        }));
        if (o.check) rows.back().check = compare(c, a, b);
    }
    fmt::print("{}\n", apps::table_of(rows, rates_of(o)));
    if (o.check)
        fmt::print("{}",
                   apps::check_text(rows, {"elements in double precision", "", "the sum of their terms' magnitudes"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, rows, fields_of(o), rates_of(o));
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace matmul

int main(int argc, char** argv)
{
    return apps::run_program("matmul", [&] {
        const auto options = matmul::read_options(argc, argv);
        return options ? matmul::run(*options) : apps::all_well;
    });
}
