// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/start/plugin.hpp"

#include "src/cluster/mpi/mpi_peers.hpp"

#include <skelrt/error.hpp>

namespace skelrt::detail
{

namespace
{

/// What the program gave to sk::on.
MPI_Comm checked(MPI_Comm given)
{
    int between_groups = 0;
    if (given == MPI_COMM_NULL)
        throw error("sk::runtime: sk::on got MPI_COMM_NULL: this process is not in the communicator; start the runtime "
                    "in those that are");
    check_mpi(MPI_Comm_test_inter(given, &between_groups), "MPI_Comm_test_inter");
    if (between_groups)
        throw error("sk::runtime: sk::on got a communicator between two groups; merge them by MPI_Intercomm_merge");
    return given;
}

peers* open_mpi(const peers_options& wanted)
{
    begin_mpi();
    const auto* const given = static_cast<const MPI_Comm*>(wanted.communicator);
    return new mpi_peers(given ? checked(*given) : MPI_COMM_WORLD, wanted);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const peers_plugin skelrt_peers_plugin;
const peers_plugin skelrt_peers_plugin{peers_interface, SKELRT_VERSION_TEXT, starpu_built_with, &open_mpi};

} // namespace skelrt::detail
