// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr std::size_t per_rank = 1000;
constexpr int batch = 200; ///< sums in a row, each of which the program waits for

float sum_by_mpi(const world& all, const std::vector<float>& mine)
{
    float here = 0, everywhere = 0;
#pragma omp simd reduction(+ : here)
    for (std::size_t i = 0; i < mine.size(); ++i) here += mine[i];
    MPI_Allreduce(&here, &everywhere, 1, MPI_FLOAT, MPI_SUM, all.rivals());
    return everywhere;
}

} // namespace

void bench_sum(const contest& c)
{
    const auto ranks = static_cast<std::size_t>(c.all.size());
    const auto sum = sk::reduce(sk::plus, 0.0f);
    const sk::vector<float> x(per_rank * ranks, 1.0f);
    const std::vector<float> mine(per_rank, 1.0f);
    const auto wanted = static_cast<float>(per_rank * ranks);
    std::size_t wrong = 0;

    c.out.heading(fmt::format("sum: {} floats a rank, {} times", per_rank, batch));
    const auto times = race(c, {{"skelrt", runs_as::skelrt,
                                 [&] {
                                     for (int k = 0; k < batch; ++k) wrong += static_cast<float>(sum(x)) != wanted;
                                 }},
                                {"MPI_Allreduce", runs_as::team, [&] {
                                     for (int k = 0; k < batch; ++k) wrong += sum_by_mpi(c.all, mine) != wanted;
                                 }}});
    check(c, "sum", wrong);
    c.out.row("sum", "skelrt", times[0]);
    c.out.row("sum", "MPI_Allreduce", times[1]);
    c.out.figure("cluster_sum_vs_mpi", times[0].median / times[1].median);
}

} // namespace bench
