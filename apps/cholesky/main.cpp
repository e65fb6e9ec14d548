// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/blas/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace cholesky
{
namespace
{

template <class T>
apps::measurement measure_device(const std::string& device, const options& o, skelrt::device_set on,
                                 const skelrt::runtime& rt)
{
    factorisation<T> f(o.size, o.block, on); // a new one for each device
    auto result = apps::measure(
        device, rt, o.repeat, [&] { f.load(); },
        [&] {
            f.start();
            f.wait();
        });
    f.require_positive_definite();
    if (o.check) result.check = compare(f.factor());
    return result;
}

std::vector<apps::rate> rates_of(const options& o)
{
    const double n = static_cast<double>(o.size);
    return {{"GFLOP/s", n * n * n / 3 * 1e-9, "flop_per_s", 1e9}};
}

apps::problem_fields fields_of(const options& o)
{
    return {{"n", std::to_string(o.size)}, {"block", std::to_string(o.block)}, {"type", o.type}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto [devices, on] = apps::blas::devices_for(o.device, rt);
    fmt::print("{0} x {0} {1}s in blocks of {2} x {2}\n\n", o.size, o.type, o.block);
    std::fflush(stdout);
    std::vector<apps::measurement> rows;
    for (const auto& device : devices)
        rows.push_back(o.type == "float" ? measure_device<float>(device, o, on, rt)
                                         : measure_device<double>(device, o, on, rt));

    fmt::print("{}\n", apps::table_of(rows, rates_of(o)));
    if (o.check) fmt::print("{}", apps::check_text(rows, {"rows of A x against L (L^T x)", "", "a row of |A|"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, {{fields_of(o), rows, rates_of(o)}});
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace cholesky

int main(int argc, char** argv)
{
    return apps::run_program("cholesky", [&] {
        const auto options = cholesky::read_options(argc, argv);
        return options ? cholesky::run(*options) : apps::all_well;
    });
}
