// SPDX-License-Identifier: BSD-3-Clause
/// skelrt-bench-ranks: what programs of several ranks cost, against MPI and OpenMP by hand. Started by mpirun.

#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/rank_cores.hpp"
#include "src/bench/shared/machine.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <skelrt/skelrt.hpp>
#include <starpu.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace
{

struct benchmark {
    const char* name;
    void (*run)(const bench::contest&);
};
constexpr benchmark benchmarks[] = {{"jacobi", bench::bench_jacobi},   {"sum", bench::bench_sum},
                                    {"star", bench::bench_star},       {"transpose", bench::bench_transpose},
                                    {"nstream", bench::bench_nstream}, {"summa", bench::bench_summa}};

bool is_wanted(const std::vector<std::string>& wanted, const char* name)
{
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

/// What lies between the ranks, if that is asked for.
skelrt::detail::network_peaks run_in_one_runtime(const bench::world& all, const bench::ranks_options& o,
                                                 const std::vector<std::string>& wanted, bench::report& out)
{
    const skelrt::runtime rt;
    bench::rival_team team(bench::rank_cores());
    out.note(fmt::format("ranks: {}, each with {} workers of skelrt and {} threads of rivals", all.size(),
                         starpu_cpu_worker_get_count(), team.threads()));
    for (const benchmark& b : benchmarks)
        if (is_wanted(wanted, b.name)) b.run({all, team, o, out});
    const bool asked = all.size() > 1 && (is_wanted(wanted, "loggp") || is_wanted(wanted, "replay"));
    return asked ? bench::measured_network() : skelrt::detail::network_peaks{};
}

/// Those that begin and end runtimes of their own.
void run_the_others(const bench::world& all, const bench::ranks_options& o, const std::vector<std::string>& wanted,
                    const skelrt::detail::network_peaks& n, bench::report& out)
{
    if (all.size() > 1) {
        if (is_wanted(wanted, "calls")) bench::bench_calls(all, o, out);
        if (is_wanted(wanted, "loggp")) bench::bench_loggp(all, o, n, out);
        if (is_wanted(wanted, "replay")) bench::bench_replay(all, o, n, out);
        return;
    }
    if (is_wanted(wanted, "one_rank")) bench::bench_one_rank(o, out);
    if (is_wanted(wanted, "scale") && !o.networks.empty()) bench::bench_scale(o, out);
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Programs of several ranks against MPI and OpenMP by hand: mpirun -n 2 skelrt-bench-ranks [NAME...]"};
    bench::ranks_options o;
    std::vector<std::string> wanted;
    std::string csv;
    app.add_option("names", wanted,
                   "jacobi, sum, star, transpose, nstream, calls, summa, loggp and replay (two ranks or more), "
                   "one_rank and scale "
                   "(one process only); none: all")
        ->check(CLI::IsMember({"jacobi", "sum", "star", "transpose", "nstream", "calls", "summa", "loggp", "replay",
                               "one_rank", "scale"}));
    app.add_option("--size", o.size, "points along an edge of jacobi's grid")->capture_default_str();
    app.add_option("--steps", o.steps, "of jacobi")->capture_default_str();
    app.add_option("--order", o.order, "of the matrices of star and transpose")->capture_default_str();
    app.add_option("--product", o.product, "order of summa's matrices")->capture_default_str();
    app.add_option("--length", o.length, "of the arrays of nstream")->capture_default_str();
    app.add_option("--loggp-length", o.loggp_length, "of the vectors of loggp")->capture_default_str();
    app.add_option("--loggp-order", o.loggp_order, "of the matrices of loggp")->capture_default_str();
    app.add_option("--repeat", o.repeat, "rounds")->capture_default_str();
    app.add_option("--rows-a-rank", o.rows_a_rank, "of scale's grid")->capture_default_str();
    app.add_option("--speed", o.speed, "of replayed nodes, over this one's")->capture_default_str();
    app.add_option("--network", o.networks, "files about what lies between nodes, for scale: perfmodels/networks");
    app.add_option("--csv", csv, "also write every row to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        const bench::world all;
        const bool speaks = all.rank() == 0;
        if (!speaks && !std::freopen("/dev/null", "w", stdout)) return 2;
        bench::report out;
        fmt::print("skelrt-bench-ranks\n{}", bench::machine_text());
        const skelrt::detail::network_peaks n = run_in_one_runtime(all, o, wanted, out);
        run_the_others(all, o, wanted, n, out);
        out.finish("ranks", speaks ? csv : "");
    } catch (const std::exception& e) {
        std::fflush(stdout);
        fmt::print(stderr, "skelrt-bench-ranks: {}\n", e.what());
        return 2;
    }
    return 0;
}
