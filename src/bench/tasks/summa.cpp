// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/tasks/summa_rivals.hpp"

#include "apps/shared/program/option_list.hpp"
#include "apps/summa/kernel.hpp"

#include <fmt/core.h>
#include <skelrt/host.hpp>

#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    std::size_t n = 2048, tile = 64, panel = 0;
    std::string shape = "squares";
    int repeat = 9;
};

void expect_same(const sk::matrix<double>& ours, const double* theirs)
{
    const auto at = sk::host_read(ours);
    for (std::size_t i = 0; i < at.size(); ++i)
        if (at.data()[i] != theirs[i]) // the same sums in the same order
            throw std::runtime_error(fmt::format("summa: element {} is {} and {}", i, at.data()[i], theirs[i]));
}

template <class Work>
double seconds(const Work& work)
{
    const double begin = now();
    work();
    return now() - begin;
}

int run(report& out, const options& o)
{
    const auto rt = start_runtime("cpu");
    rival_team team;
    const summa::cutting cutting = o.shape == "rows" ? summa::cutting::rows(o.tile, o.n)
                                                     : summa::cutting::squares(o.tile, o.panel > 0 ? o.panel : o.n);
    summa::product<double> ours(o.n, cutting, sk::device::cpu);
    // Memory of the same kind: where matrices begin matters to caches.
    const sk::matrix<double> left_copy = ours.left(), right_copy = ours.right();
    sk::matrix<double> result(o.n, o.n);
    const auto left = sk::host_read(left_copy), right = sk::host_read(right_copy);
    const auto theirs = sk::host(result);
    const summa_matrices m{left.data(), right.data(), theirs.data(), o.n};
    const auto starpu = make_starpu_summa(m, cutting);
    const auto our_seconds = [&] {
        return seconds([&] {
            ours.start();
            ours.wait();
        });
    };
    const auto omp_seconds = [&] {
        double took = 0;
        team.run_alone([&] { took = seconds([&] { omp_summa(m, cutting, team.threads()); }); });
        return took;
    };
    out.heading(
        fmt::format("{0} x {0} doubles, tiles of {1} ({2}), panels of {3}", o.n, o.tile, o.shape, cutting.panel));
    const std::vector<contestant> who{{"skelrt", our_seconds},
                                      {"OpenMP tasks", omp_seconds},
                                      {"raw StarPU", [&] { return seconds([&] { starpu->run(); }); }}};
    const auto t = alternate(who, 1, o.repeat);
    const double side = static_cast<double>(o.n), flop = 2 * side * side * side;
    for (std::size_t k = 0; k < t.size(); ++k) out.row("summa", who[k].name, t[k], flop / t[k].median / 1e9, "GFlop/s");
    expect_same(ours.result(), theirs.data());
    out.figure("summa_vs_omptasks", t[0].median / t[1].median);
    return 0;
}

} // namespace

runner declare_summa(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.positive("--n", o->n, "rows and columns");
    line.positive("--tile", o->tile, "rows of a tile");
    line.option("--panel", o->panel, "terms of a sum that a task adds, of squares; 0: all");
    line.one_of("--shape", o->shape, {"squares", "rows"}, "squares or rows");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) { return run(out, *o); };
}

} // namespace bench
