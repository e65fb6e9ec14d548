#include "src/cluster/plugin.hpp"

#include "src/cluster/mpi/mpi_peers.hpp"

namespace skelrt::detail
{

namespace
{

peers* open_mpi(const peers_options& wanted)
{
    begin_mpi();
    return new mpi_peers(wanted);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const peers_plugin skelrt_peers_plugin;
const peers_plugin skelrt_peers_plugin{peers_interface, SKELRT_VERSION, starpu_built_with, &open_mpi};

} // namespace skelrt::detail
