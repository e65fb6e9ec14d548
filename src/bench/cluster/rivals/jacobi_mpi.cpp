// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/rivals/jacobi_mpi.hpp"

#include <utility>

namespace bench
{

jacobi_mpi::jacobi_mpi(const world& all, rival_team& team, const apps::product& u, std::size_t points)
    : team_(team), h2_(u.h * u.h), source_(all, team, points, points, 0), zero_(all, team, points, points, 1),
      even_(all, team, points, points, 1), odd_(all, team, points, points, 1), lines_(all)
{
    team_.run([&] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
        for (std::size_t r = 0; r < source_.rows(); ++r) {
            double* const f = source_.row(static_cast<std::ptrdiff_t>(r));
            const double y = u.h * static_cast<double>(source_.first() + r + 1);
            for (std::size_t c = 0; c < points; ++c) f[c] = source_at(u, u.h * static_cast<double>(c + 1), y);
        }
    });
}

void jacobi_mpi::compute(const dealt_rows& from, dealt_rows& to, std::size_t first, std::size_t last) const
{
    const std::size_t cols = from.cols();
    const double h2 = h2_;
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
    for (std::size_t r = first; r < last; ++r) {
        const auto at = static_cast<std::ptrdiff_t>(r);
        const double *const above = from.row(at - 1), *const u = from.row(at), *const below = from.row(at + 1);
        const double* const f = source_.row(at);
        double* const v = to.row(at);
#pragma omp simd
        for (std::size_t c = 0; c < cols; ++c)
            v[c] = 0.25 * (above[c] + below[c] + *(u + c - 1) + u[c + 1] - h2 * f[c]);
    }
}

void jacobi_mpi::step(dealt_rows& from, dealt_rows& to)
{
    const std::size_t rows = from.rows();
    lines_.begin(from);
    if (rows > 2) compute(from, to, 1, rows - 1);
    lines_.end();
    compute(from, to, 0, 1);
    if (rows > 1) compute(from, to, rows - 1, rows);
}

void jacobi_mpi::solve(std::size_t steps)
{
    dealt_rows *from = &zero_, *to = &even_, *spare = &odd_;
    for (std::size_t k = 0; k < steps; ++k) {
        step(*from, *to);
        from = std::exchange(to, k == 0 ? spare : from);
    }
    result_ = from;
}

} // namespace bench
