// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/rivals/star_mpi.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr int steps = 10;

// Computed everywhere and then left out at the edges of the matrix: a return in front would be a branch for each point.
const auto add_star = sk::stencil(SKELRT_FN((sk::index2 at, sk::hood2<double> u, double out, unsigned n) {
                                      const double star = 0.25 * (u(1, 0) - u(-1, 0) + u(0, 1) - u(0, -1)) +
                                                          0.125 * (u(2, 0) - u(-2, 0) + u(0, 2) - u(0, -2));
                                      const bool inside =
                                          at.row >= 2 && at.col >= 2 && at.row + 2 < n && at.col + 2 < n;
                                      return inside ? out + star : out;
                                  }),
                                  sk::border::constant(0.0));
const auto first_values = sk::map(SKELRT_FN((sk::index2 at) { return (double)(at.row + at.col); }));
const auto one_more = sk::map(SKELRT_FN((double x) { return x + 1.0; }));

} // namespace

void bench_star(const contest& c)
{
    const std::size_t n = c.o.order;
    star_mpi rival(c.all, c.team, n);
    sk::matrix<double> in(n, n, sk::uninitialized), out(n, n, 0.0);
    in = first_values(sk::shape(n, n));

    c.out.heading(fmt::format("PRK stencil: star of radius 2, {0} x {0} doubles, {1} steps", n, steps));
    const auto times = race(c, {{"skelrt", runs_as::skelrt,
                                 [&] {
                                     for (int k = 0; k < steps; ++k) {
                                         out = add_star(in, out, static_cast<unsigned>(n));
                                         in = one_more(in);
                                     }
                                     sk::wait(out);
                                     sk::wait(in);
                                 }},
                                {"MPI + OpenMP", runs_as::team, [&] { rival.run(steps); }}});
    std::size_t wrong = 0;
    const auto mine = sk::local(out);
    for (std::size_t r = 0; r < mine.rows(); ++r)
        for (std::size_t col = 0; col < n; ++col)
            wrong += !agree(mine(r, col), rival.result().row(static_cast<std::ptrdiff_t>(r))[col]);
    check(c, "PRK stencil", wrong);
    const double updates = static_cast<double>(n * n * steps) * 1e-9;
    c.out.row("PRK stencil", "skelrt", times[0], updates / times[0].median, "Gpoints/s");
    c.out.row("PRK stencil", "MPI + OpenMP", times[1], updates / times[1].median, "Gpoints/s");
    c.out.figure("prk_stencil", times[1].median / times[0].median);
}

} // namespace bench
