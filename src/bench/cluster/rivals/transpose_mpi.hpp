// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/cluster/rivals/dealt_rows.hpp"

#include <vector>

namespace bench
{

/// PRK's transpose in MPI and OpenMP: b += transposed a, a += 1. Each rank sends each other one block, packed as that
/// one will add it, and adds its own block while they travel.
class transpose_mpi
{
public:
    transpose_mpi(const world& all, rival_team& team, std::size_t n);

    /// On the team's first thread.
    void run(int steps);
    const dealt_rows& result() const { return b_; }

private:
    block_of rows_of(int rank) const { return {n_, rank, all_.size()}; }
    void pack(int to);
    void add(int from, const double* block);
    void step();

    const world& all_;
    rival_team& team_;
    std::size_t n_;
    dealt_rows a_, b_;
    std::vector<host_array<double>> out_, in_; ///< a block for each rank
};

} // namespace bench
