// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/rivals/star_mpi.hpp"

#include <algorithm>

namespace bench
{

star_mpi::star_mpi(const world& all, rival_team& team, std::size_t n)
    : team_(team), n_(n), in_(all, team, n, n, reach), out_(all, team, n, n, 0), lines_(all)
{
    for (std::size_t r = 0; r < in_.rows(); ++r)
        for (std::size_t c = 0; c < n; ++c)
            in_.row(static_cast<std::ptrdiff_t>(r))[c] = static_cast<double>(in_.first() + r + c);
}

void star_mpi::compute(std::size_t first, std::size_t last)
{
    // Rows of the matrix at its edge stay as they are.
    first = std::max(first, reach > in_.first() ? reach - in_.first() : 0);
    last = std::min(last, n_ > reach + in_.first() ? n_ - reach - in_.first() : 0);
    const std::size_t end = n_ - reach;
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
    for (std::size_t r = first; r < last; ++r) {
        const auto at = static_cast<std::ptrdiff_t>(r);
        const double *const a = in_.row(at - 2), *const b = in_.row(at - 1), *const u = in_.row(at);
        const double *const d = in_.row(at + 1), *const e = in_.row(at + 2);
        double* const v = out_.row(at);
#pragma omp simd
        for (std::size_t c = reach; c < end; ++c)
            v[c] += 0.25 * (d[c] - b[c] + u[c + 1] - u[c - 1]) + 0.125 * (e[c] - a[c] + u[c + 2] - u[c - 2]);
    }
}

void star_mpi::run(int steps)
{
    const std::size_t rows = in_.rows();
    for (int k = 0; k < steps; ++k) {
        lines_.begin(in_);
        const std::size_t last = rows - reach, inner = std::min(reach, last);
        compute(inner, last);
        lines_.end();
        compute(0, inner);
        compute(std::max(inner, last), rows);
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
        for (std::size_t r = 0; r < rows; ++r) {
            double* const u = in_.row(static_cast<std::ptrdiff_t>(r));
#pragma omp simd
            for (std::size_t c = 0; c < n_; ++c) u[c] += 1;
        }
    }
}

} // namespace bench
