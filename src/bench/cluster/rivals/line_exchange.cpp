// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/rivals/line_exchange.hpp"

namespace bench
{

void line_exchange::begin(dealt_rows& grid)
{
    const int before = all_.rank() > 0 ? all_.rank() - 1 : MPI_PROC_NULL;
    const int after = all_.rank() + 1 < all_.size() ? all_.rank() + 1 : MPI_PROC_NULL;
    const auto rows = static_cast<std::ptrdiff_t>(grid.rows()), reach = static_cast<std::ptrdiff_t>(grid.reach());
    const int count = static_cast<int>(grid.reach() * grid.line() - 2 * grid.reach());
    const MPI_Comm comm = all_.rivals();
    MPI_Irecv(grid.row(-reach), count, MPI_DOUBLE, before, 0, comm, &under_way_[0]);
    MPI_Irecv(grid.row(rows), count, MPI_DOUBLE, after, 1, comm, &under_way_[1]);
    MPI_Isend(grid.row(0), count, MPI_DOUBLE, before, 1, comm, &under_way_[2]);
    MPI_Isend(grid.row(rows - reach), count, MPI_DOUBLE, after, 0, comm, &under_way_[3]);
}

void line_exchange::end() { MPI_Waitall(static_cast<int>(under_way_.size()), under_way_.data(), MPI_STATUSES_IGNORE); }

} // namespace bench
