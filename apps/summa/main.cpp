// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/blas/devices.hpp"
#include "apps/shared/blas/options.hpp"
#include "apps/shared/trial.hpp"

#include <cmath>

#include <fmt/format.h>

namespace summa
{
namespace
{

struct options : apps::blas::matrix_options {
    options() { size = 2048; }
    std::size_t tile = 64;         ///< rows of a tile
    std::size_t panel = 0;         ///< terms of a sum that a task adds; 0: all. Of squares
    std::string shape = "squares"; ///< squares, rows
};

cutting cutting_of(const options& o)
{
    if (o.shape == "rows") return cutting::rows(o.tile, o.size);
    return cutting::squares(o.tile, o.panel > 0 ? o.panel : o.size);
}

template <class T>
int run(const options& o)
{
    const skelrt::runtime rt;
    const auto [devices, on] = apps::blas::devices_for(o.device, rt);
    apps::trial t("summa", o, rt, devices);
    fmt::print("{0} x {0} {1}s, tiles of {2}: {3}\n\n", o.size, o.type, o.tile, o.shape);
    t.on_each([&, on = on](apps::turn& now) {
        product<T> p(o.size, cutting_of(o), on); // a new one for each device
        now.time([&] {
            p.start();
            p.wait();
        });
        now.check([&] { return compare(p.result(), p.left(), p.right()); });
    });
    return t.report({{"n", o.size}, {"tile", o.tile}, {"panel", o.panel}, {"shape", o.shape}, {"type", o.type}},
                    {{"GFLOP/s", 2e-9 * std::pow(static_cast<double>(o.size), 3), "flop_per_s", 1e9}},
                    {"rows of C x against A (B x)", "", "the sum of magnitudes"});
}

} // namespace
} // namespace summa

int main(int argc, char** argv)
{
    summa::options o;
    apps::command_line line(
        "summa",
        "The product of two matrices of random numbers by sk::task on tiles, each a product of "
        "OpenBLAS on cores, of cuBLAS\non GPUs. Squares: a task for each tile, or for each panel of "
        "its sum; rows: a task for each block of rows.",
        {}, o);
    apps::blas::add_options(line, o, "rows and columns of the matrices");
    line.range("--tile", o.tile, 1, apps::blas::largest_side, "rows of a tile");
    line.range("--panel", o.panel, 0, apps::blas::largest_side, "terms of a sum that a task adds, of squares; 0: all");
    line.choice("--shape", o.shape, {"squares", "rows"}, "of the tiles: squares, or blocks of whole rows");
    return apps::run_program(line, argc, argv,
                             [&] { return o.type == "float" ? summa::run<float>(o) : summa::run<double>(o); });
}
