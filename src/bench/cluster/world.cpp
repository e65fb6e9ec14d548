// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/world.hpp"

#include "src/bench/shared/timing.hpp"

#include <stdexcept>

namespace bench
{

world::world()
{
    int allowed = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &allowed);
    if (allowed < MPI_THREAD_MULTIPLE) throw std::runtime_error("this MPI does not serve several threads");
    MPI_Comm_dup(MPI_COMM_WORLD, &rivals_);
    MPI_Comm_rank(rivals_, &rank_);
    MPI_Comm_size(rivals_, &size_);
}

world::~world()
{
    MPI_Comm_free(&rivals_);
    MPI_Finalize();
}

double world::reduced(double mine, MPI_Op how) const
{
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, how, rivals_);
    return all;
}

double world::sum(double mine) const { return reduced(mine, MPI_SUM); }
double world::largest(double mine) const { return reduced(mine, MPI_MAX); }

double world::time(const std::function<void()>& work) const
{
    MPI_Barrier(rivals_);
    const double start = now();
    work();
    return largest(now() - start);
}

} // namespace bench
