// SPDX-License-Identifier: BSD-3-Clause
/// recorded ROWS: calls of all kinds, for SKELRT_CALLS. Prints a sum.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <cstdlib>

namespace sk = skelrt;

namespace
{

const auto heat =
    sk::stencil(SKELRT_FN((sk::hood2<double> u) { return 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                sk::border::constant(0.0));
const auto twice = sk::map(SKELRT_FN((double v) { return 2 * v; }));
const auto positive = sk::filter(SKELRT_FN((double v) { return v > 0; }));
const auto sum = sk::reduce(sk::plus, 0.0);

} // namespace

int main(int, char** argv)
{
    const sk::runtime rt;
    const std::size_t rows = std::strtoul(argv[1], nullptr, 10);
    sk::matrix<double> u(rows, 11, 1.0);
    u = heat.iterate(10, u);
    sk::vector<double> x = sum.by_row(u), y = sk::scan(sk::plus)(twice(x));
    y = sk::sort(y);
    y.range(0, rows - 1) = twice(x.range(1, rows - 1));
    sk::vector<double> some = positive(y);
    sk::scalar<double> total = sum(some);
    x = sk::map(sk::multiplies)(x, total);
    std::printf("%.0f\n", static_cast<double>(sum(x)));
}
