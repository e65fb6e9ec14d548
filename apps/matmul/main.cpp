// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/trial.hpp"

#include <fmt/format.h>

namespace matmul
{
namespace
{

struct options : apps::common_options {
    std::array<std::size_t, 3> size{4096, 4096, 4096}; ///< rows of a, columns of b, columns of a
};

/// Of several ranks each holds a block of it, in a grid of them.
matrix in_grid(matrix m)
{
    skelrt::distribute(m, skelrt::distribution::grid());
    return m;
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("matmul", o, rt);
    const auto [m, n, k] = o.size;
    fmt::print("{} x {} times {} x {}, single precision\n\n", m, k, k, n);
    const matrix a = in_grid(random_matrix(m, k, 1)), b = in_grid(random_matrix(k, n, 2));
    t.on_each([&](apps::turn& now) {
        matrix c = in_grid(matrix(a.rows(), b.cols(), skelrt::uninitialized)); // a new one for each device
        now.time([&] {
            multiply(c, a, b);
            skelrt::wait(c);
        });
        now.check([&] { return compare(c, a, b); });
    });
    const double terms = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    return t.report({{"m", m}, {"n", n}, {"k", k}}, {{"GFLOP/s", 2e-9 * terms, "flop_per_s", 1e9}},
                    {"elements in double precision", "", "the sum of magnitudes"});
}

} // namespace
} // namespace matmul

int main(int argc, char** argv)
{
    matmul::options o;
    apps::command_line line("matmul",
                            "The product of two matrices of random numbers in single precision, by sk::all_pairs on "
                            "the devices that you choose.",
                            {}, o);
    line.sizes("--size", o.size, 1 << 17,
               "rows and columns of the product, and terms of each sum: M,N,K or one number");
    return apps::run_program(line, argc, argv, [&] { return matmul::run(o); });
}
