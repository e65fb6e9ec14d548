// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/stencils/star.hpp"

namespace bench
{
namespace
{

template <int Radius, star_use Use>
void run(rival_team& team, std::size_t n, const double* __restrict u, double* __restrict v)
{
    constexpr std::size_t edge = Radius;
    const auto put = [](double& to, double value) {
        if constexpr (Use == star_use::added) to += value;
        else to = value;
    };
    team.run([&] {
#pragma omp parallel for num_threads(team.threads()) schedule(static)
        for (std::size_t r = 0; r < n; ++r) {
            const bool inside = r >= edge && r + edge < n;
            const std::size_t first = inside ? edge : n, last = inside ? n - edge : n;
            for (std::size_t c = 0; c < first; ++c) put(v[r * n + c], u[r * n + c]);
            for (std::size_t c = last; c < n; ++c) put(v[r * n + c], u[r * n + c]);
#pragma omp simd
            for (std::size_t c = first; c < last; ++c) {
                const std::size_t at = r * n + c;
                double sum = 0;
                for (std::size_t j = 1; j <= edge; ++j)
                    sum += (u[at + j * n] - u[at - j * n] + u[at + j] - u[at - j]) / double(2 * j * edge);
                put(v[at], sum);
            }
        }
    });
}

template <star_use Use>
void run(rival_team& team, std::size_t n, int radius, const double* from, double* to)
{
    switch (radius) {
    case 1:
        return run<1, Use>(team, n, from, to);
    case 2:
        return run<2, Use>(team, n, from, to);
    case 3:
        return run<3, Use>(team, n, from, to);
    default:
        return run<4, Use>(team, n, from, to);
    }
}

} // namespace

void openmp_star(rival_team& team, std::size_t n, int radius, star_use use, const double* from, double* to)
{
    if (use == star_use::added) run<star_use::added>(team, n, radius, from, to);
    else run<star_use::assigned>(team, n, radius, from, to);
}

} // namespace bench
