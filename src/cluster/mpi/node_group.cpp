// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/node_group.hpp"

#include "src/cluster/mpi/session.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace skelrt::detail
{

namespace
{

using node_name = std::array<char, MPI_MAX_PROCESSOR_NAME>;

/// The first rank with this one's processor name.
int first_of_same_name(MPI_Comm all, int size)
{
    node_name mine{};
    int length = 0;
    MPI_Get_processor_name(mine.data(), &length);
    std::vector<node_name> names(static_cast<std::size_t>(size));
    check_mpi(MPI_Allgather(mine.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names.data(), MPI_MAX_PROCESSOR_NAME,
                            MPI_CHAR, all),
              "MPI_Allgather");
    return static_cast<int>(std::ranges::find(names, mine) - names.begin());
}

} // namespace

MPI_Comm make_node_group(MPI_Comm all)
{
    int rank = 0, size = 1, largest = 1;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Comm shared;
    check_mpi(MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared), "MPI_Comm_split_type");
    MPI_Comm_size(shared, &largest);
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT, MPI_MAX, all), "MPI_Allreduce");
    if (largest > 1 || size == 1) return shared;
    MPI_Comm_free(&shared);
    check_mpi(MPI_Comm_split(all, first_of_same_name(all, size), rank, &shared), "MPI_Comm_split");
    return shared;
}

} // namespace skelrt::detail
