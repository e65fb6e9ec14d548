// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/poisson.hpp"
#include "src/bench/cluster/rivals/line_exchange.hpp"

namespace bench
{

/// Jacobi's method in MPI and OpenMP: one step an exchange, inner rows are computed while lines travel.
class jacobi_mpi
{
public:
    /// Points within the square: `points` x `points`.
    jacobi_mpi(const world& all, rival_team& team, const apps::product& u, std::size_t points);

    /// So many steps from zeros; on the team's first thread.
    void solve(std::size_t steps);
    const dealt_rows& result() const { return *result_; }

private:
    void step(dealt_rows& from, dealt_rows& to);
    void compute(const dealt_rows& from, dealt_rows& to, std::size_t first, std::size_t last) const;

    rival_team& team_;
    double h2_;
    dealt_rows source_, zero_, even_, odd_;
    dealt_rows* result_ = &zero_;
    line_exchange lines_;
};

} // namespace bench
