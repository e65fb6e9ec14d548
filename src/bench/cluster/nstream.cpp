// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/rivals/dealt_rows.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr int steps = 10;

const auto stream = sk::map(SKELRT_FN((double a, double b, double c) { return a + b + 3.0 * c; }));

/// PRK's nstream in OpenMP: a += b + 3 c; ranks need nothing of each other.
class nstream_openmp
{
public:
    nstream_openmp(const world& all, rival_team& team, std::size_t n)
        : team_(team), n_(block_of(n, all.rank(), all.size()).count), a_(make_host_array<double>(n_)),
          b_(make_host_array<double>(n_)), c_(make_host_array<double>(n_))
    {
        team_.run([this] {
#pragma omp parallel for simd num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n_; ++i) a_[i] = 0, b_[i] = c_[i] = 2;
        });
    }
    void run()
    {
        double* const __restrict a = a_.get();
        const double* const __restrict b = b_.get(), * const __restrict c = c_.get();
        for (int k = 0; k < steps; ++k) {
#pragma omp parallel for simd num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n_; ++i) a[i] += b[i] + 3.0 * c[i];
        }
    }
    const double* result() const { return a_.get(); }

private:
    rival_team& team_;
    std::size_t n_;
    host_array<double> a_, b_, c_;
};

} // namespace

void bench_nstream(const contest& c)
{
    const std::size_t n = c.o.length;
    nstream_openmp rival(c.all, c.team, n);
    sk::vector<double> x(n, 0.0);
    const sk::vector<double> y(n, 2.0), z(n, 2.0);

    c.out.heading(fmt::format("PRK nstream: {} doubles, {} steps", n, steps));
    const auto times = race(c, {{"skelrt", runs_as::skelrt,
                                 [&] {
                                     for (int k = 0; k < steps; ++k) x = stream(x, y, z);
                                     sk::wait(x);
                                 }},
                                {"OpenMP", runs_as::team, [&] { rival.run(); }}});
    std::size_t wrong = 0;
    const auto mine = sk::local(x);
    for (std::size_t i = 0; i < mine.size(); ++i) wrong += !agree(mine[i], rival.result()[i]);
    check(c, "PRK nstream", wrong);
    const double bytes = static_cast<double>(4 * n * sizeof(double) * steps) * 1e-9; // as PRK counts
    c.out.row("PRK nstream", "skelrt", times[0], bytes / times[0].median, "GB/s");
    c.out.row("PRK nstream", "OpenMP", times[1], bytes / times[1].median, "GB/s");
    c.out.figure("prk_nstream", times[1].median / times[0].median);
}

} // namespace bench
