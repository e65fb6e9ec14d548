// SPDX-License-Identifier: BSD-3-Clause
#include "apps/jacobi/kernel.hpp"
#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/rivals/jacobi_mpi.hpp"
#include "src/cluster/peers.hpp"
#include "src/runtime/running.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace bench
{
namespace
{

namespace sk = skelrt;

double bytes_sent()
{
    const sk::detail::peers* const others = sk::detail::running::current()->cluster;
    return others ? static_cast<double>(others->so_far().bytes_sent) : 0;
}

/// The most memory that this process has had, in bytes.
double peak_memory()
{
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) * 1024;
    return 0;
}

std::size_t wrong_points(const jacobi::grid& values, const dealt_rows& rival)
{
    const auto mine = sk::local(values);
    std::size_t wrong = mine.rows() == rival.rows() ? 0 : 1;
    for (std::size_t r = 0; r < std::min(mine.rows(), rival.rows()); ++r)
        for (std::size_t c = 0; c < mine.cols(); ++c)
            wrong += agree(mine(r, c), rival.row(static_cast<std::ptrdiff_t>(r))[c]) ? 0 : 1;
    return wrong;
}

/// Poisson's equation on one problem, by both.
class problem
{
public:
    problem(const contest& c, int number)
        : c_(c), points_(c.o.size - 2), exact_(apps::poisson_problem(number, c.o.size)), zero_(points_, points_, 0.0),
          now_(points_, points_, sk::uninitialized), source_(jacobi::source_of(exact_, points_, points_))
    {
    }

    void solve()
    {
        jacobi::solve(now_, zero_, source_, exact_.h, c_.o.steps);
        sk::wait(now_);
    }
    /// What all ranks send for it, over the lines at the borders of their parts.
    double bytes_over_lines()
    {
        const double before = bytes_sent();
        solve();
        const double borders = 2.0 * (c_.all.size() - 1);
        const double lines = borders * static_cast<double>(c_.o.steps * points_ * sizeof(double));
        return c_.all.sum(bytes_sent() - before) / lines;
    }
    double grid_bytes() const { return static_cast<double>(points_ * points_ * sizeof(double)); }

    /// Time of skelrt over the rival's.
    double race_rival(int number)
    {
        jacobi_mpi rival(c_.all, c_.team, exact_, points_);
        const auto times = race(c_, {{"skelrt", runs_as::skelrt, [&] { solve(); }},
                                     {"MPI + OpenMP", runs_as::team, [&] { rival.solve(c_.o.steps); }}});
        check(c_, "jacobi", wrong_points(now_, rival.result()));
        const double updates = static_cast<double>(points_ * points_ * c_.o.steps) * 1e-9;
        const std::string work = fmt::format("problem {}", number);
        c_.out.row(work, "skelrt", times[0], updates / times[0].median, "Gpoints/s");
        c_.out.row(work, "MPI + OpenMP", times[1], updates / times[1].median, "Gpoints/s");
        return times[0].median / times[1].median;
    }

private:
    const contest& c_;
    std::size_t points_;
    apps::product exact_;
    jacobi::grid zero_, now_, source_;
};

} // namespace

void bench_jacobi(const contest& c)
{
    c.out.heading(fmt::format("jacobi: {0} x {0} points, {1} steps", c.o.size, c.o.steps));
    double worst = 0;
    for (const int number : {1, 2}) {
        const double before = peak_memory();
        problem p(c, number);
        if (number == 1) {
            p.solve();
            const double fullest = c.all.largest(peak_memory() - before);
            c.out.figure("cluster_memory", fullest * c.all.size() / (4 * p.grid_bytes()));
            if (c.all.size() > 1) c.out.figure("jacobi_bytes", p.bytes_over_lines());
        }
        worst = std::max(worst, p.race_rival(number));
    }
    c.out.figure(fmt::format("jacobi_vs_mpi_P{}", c.all.size()), worst);
}

} // namespace bench
