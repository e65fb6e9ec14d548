// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/cluster/rivals/line_exchange.hpp"

namespace bench
{

/// PRK's stencil in MPI and OpenMP: out += star(in), in += 1.
class star_mpi
{
public:
    static constexpr std::size_t reach = 2;

    star_mpi(const world& all, rival_team& team, std::size_t n);

    /// On the team's first thread.
    void run(int steps);
    const dealt_rows& result() const { return out_; }

private:
    void compute(std::size_t first, std::size_t last);

    rival_team& team_;
    std::size_t n_;
    dealt_rows in_, out_;
    line_exchange lines_;
};

} // namespace bench
