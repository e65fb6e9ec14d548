// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/cluster/world.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/shared/report.hpp"
#include "src/model/machine/machine.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench
{

/// How much of what.
struct ranks_options {
    std::size_t size = 4001;                                            ///< points along an edge of jacobi's grid
    std::size_t order = 4000;                                           ///< of the matrices of star and transpose
    std::size_t product = 4096;                                         ///< of summa's
    std::size_t length = std::size_t(1) << 24;                          ///< of the arrays of nstream
    std::size_t loggp_length = std::size_t(1) << 18, loggp_order = 512; ///< what travels takes as long as a share
    std::size_t steps = 50;
    int repeat = 7;                    ///< rounds
    std::size_t rows_a_rank = 500;     ///< of scale's grid
    double speed = 1;                  ///< of replayed nodes, over this one's
    std::vector<std::string> networks; ///< files about what lies between nodes, for scale
};

/// What each benchmark of ranks is given.
struct contest {
    const world& all;
    rival_team& team;
    const ranks_options& o;
    report& out;
};

/// skelrt or its rival: what this rank does until its share is done. A rival runs on the team's first thread.
struct rank_contestant {
    std::string name;
    runs_as who;
    std::function<void()> run;
};

/// Times of all, in turns; each is that of the slowest rank.
std::vector<summary> race(const contest& c, const std::vector<rank_contestant>& who);
/// Throws on all ranks if elements are wrong on any.
void check(const contest& c, const char* what, std::size_t wrong_here);
/// Whether two ways to compute a value have come to the same, but for rounding.
bool agree(double a, double b);

// The benchmarks. All ranks call them, while the runtime lives.
void bench_jacobi(const contest& c);
void bench_sum(const contest& c);
void bench_star(const contest& c);
void bench_transpose(const contest& c);
void bench_nstream(const contest& c);
void bench_summa(const contest& c);
// While no runtime lives. All ranks call these:
void bench_loggp(const world& all, const ranks_options& o, const skelrt::detail::network_peaks& n, report& out);
void bench_calls(const world& all, const ranks_options& o, report& out);
void bench_replay(const world& all, const ranks_options& o, const skelrt::detail::network_peaks& n, report& out);
// and these a rank that has no others.
void bench_one_rank(const ranks_options& o, report& out);
void bench_scale(const ranks_options& o, report& out);

/// What lies between the ranks, as `skelrt calibrate --network` finds it. All ranks call it, while the runtime lives.
skelrt::detail::network_peaks measured_network();

} // namespace bench
