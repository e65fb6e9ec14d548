// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/blas/devices.hpp"
#include "apps/shared/blas/options.hpp"
#include "apps/shared/trial.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace cholesky
{
namespace
{

struct options : apps::blas::matrix_options {
    options() { size = 4096; }
    std::size_t block = 0; ///< rows and columns of one; chosen by the size if it is not given
};

template <class T>
int run(const options& o)
{
    const skelrt::runtime rt;
    const auto [devices, on] = apps::blas::devices_for(o.device, rt);
    apps::trial t("cholesky", o, rt, devices);
    fmt::print("{0} x {0} {1}s in blocks of {2} x {2}\n\n", o.size, o.type, o.block);
    t.on_each([&, on = on](apps::turn& now) {
        factorisation<T> f(o.size, o.block, on); // a new one for each device
        now.time([&] { f.load(); },
                 [&] {
                     f.start();
                     f.wait();
                 });
        f.require_positive_definite();
        now.check([&] { return compare(f.factor(), f.original()); });
    });
    return t.report({{"n", o.size}, {"block", o.block}, {"type", o.type}},
                    {{"GFLOP/s", 1e-9 * std::pow(static_cast<double>(o.size), 3) / 3, "flop_per_s", 1e9}},
                    {"rows of A x against L (L^T x)", "", "a row of |A|"});
}

} // namespace
} // namespace cholesky

int main(int argc, char** argv)
{
    cholesky::options o;
    apps::command_line line(
        "cholesky",
        "The Cholesky factor of a symmetric positive definite matrix of random numbers, by sk::task "
        "on blocks: potrf, trsm,\nsyrk and gemm of OpenBLAS on cores, of cuBLAS and cuSOLVER on "
        "GPUs; the longest way through the tasks goes first.",
        {}, o);
    apps::blas::add_options(line, o, "rows and columns of the matrix");
    line.without_default("--block", o.block, "rows and columns of a block; default: a 16th of --size, at least 256");
    line.check([&] {
        // Enough blocks for all cores and a GPU, and none so small that tasks cost more than their work.
        if (!line.given("--block")) o.block = std::max<std::size_t>(o.size / 16, 256);
        apps::check_range<std::size_t>("--block", o.block, 1, apps::blas::largest_side);
    });
    return apps::run_program(line, argc, argv,
                             [&] { return o.type == "float" ? cholesky::run<float>(o) : cholesky::run<double>(o); });
}
