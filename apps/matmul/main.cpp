// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace matmul
{
namespace
{

/// Of several ranks each holds a block of it, in a grid of them.
matrix in_grid(matrix m)
{
    skelrt::distribute(m, skelrt::distribution::grid());
    return m;
}

apps::measurement measure_device(const std::string& device, const matrix& a, const matrix& b, const options& o,
                                 const skelrt::runtime& rt)
{
    matrix c = in_grid(matrix(a.rows(), b.cols(), skelrt::uninitialized)); // a new one for each device
    auto result = apps::measure(device, rt, o.repeat, [&] {
        multiply(c, a, b);
        skelrt::wait(c);
    });
    if (o.check) result.check = compare(c, a, b);
    return result;
}

std::vector<apps::rate> rates_of(const options& o)
{
    const double terms =
        static_cast<double>(o.size[0]) * static_cast<double>(o.size[1]) * static_cast<double>(o.size[2]);
    return {{"GFLOP/s", 2 * terms * 1e-9, "flop_per_s", 1e9}};
}

apps::problem_fields fields_of(const options& o)
{
    return {{"m", std::to_string(o.size[0])}, {"n", std::to_string(o.size[1])}, {"k", std::to_string(o.size[2])}};
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    const auto [m, n, k] = o.size;
    fmt::print("{} x {} times {} x {}, single precision\n\n", m, k, k, n);
    std::fflush(stdout);
    const matrix a = in_grid(random_matrix(m, k, 1)), b = in_grid(random_matrix(k, n, 2));
    std::vector<apps::measurement> rows;
    for (const auto& device : devices) rows.push_back(measure_device(device, a, b, o, rt));

    fmt::print("{}\n", apps::table_of(rows, rates_of(o)));
    if (o.check)
        fmt::print("{}", apps::check_text(rows, {"elements in double precision", "", "the sum of magnitudes"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, {{fields_of(o), rows, rates_of(o)}});
    fmt::print("{}", apps::figure("matmul_hybrid_vs_gpu", rows, "hybrid", apps::gpu_of(rows)));
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
