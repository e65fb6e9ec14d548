// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/rivals/transpose_mpi.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr int steps = 4;

const auto first_values =
    sk::map(SKELRT_FN((sk::index2 at, unsigned n) { return (double)(at.row * (unsigned long)n + at.col); }));
const auto sum_of = sk::map(SKELRT_FN((double b, double a) { return b + a; }));
const auto one_more = sk::map(SKELRT_FN((double x) { return x + 1.0; }));

} // namespace

void bench_transpose(const contest& c)
{
    const std::size_t n = c.o.order;
    transpose_mpi rival(c.all, c.team, n);
    sk::matrix<double> a(n, n, sk::uninitialized), b(n, n, 0.0);
    a = first_values(sk::shape(n, n), static_cast<unsigned>(n));

    c.out.heading(fmt::format("PRK transpose: {0} x {0} doubles, {1} steps", n, steps));
    const auto times = race(c, {{"skelrt", runs_as::skelrt,
                                 [&] {
                                     for (int k = 0; k < steps; ++k) {
                                         b = sum_of(b, sk::transpose(a));
                                         a = one_more(a);
                                     }
                                     sk::wait(a);
                                     sk::wait(b);
                                 }},
                                {"MPI + OpenMP", runs_as::team, [&] { rival.run(steps); }}});
    std::size_t wrong = 0;
    const auto mine = sk::local(b);
    for (std::size_t r = 0; r < mine.rows(); ++r)
        for (std::size_t col = 0; col < n; ++col)
            wrong += !agree(mine(r, col), rival.result().row(static_cast<std::ptrdiff_t>(r))[col]);
    check(c, "PRK transpose", wrong);
    const double bytes = static_cast<double>(2 * n * n * sizeof(double) * steps) * 1e-9; // as PRK counts
    c.out.row("PRK transpose", "skelrt", times[0], bytes / times[0].median, "GB/s");
    c.out.row("PRK transpose", "MPI + OpenMP", times[1], bytes / times[1].median, "GB/s");
    c.out.figure("prk_transpose", times[1].median / times[0].median);
}

} // namespace bench
