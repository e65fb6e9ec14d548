// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/start/launch.hpp"

#include "src/runtime/environment/environment.hpp"

#include <charconv>

namespace skelrt::detail
{

namespace
{

/// Where a launcher says how many processes it starts, and which this one is.
struct launcher {
    std::string_view size, rank;
};

/// The first whose two variables are set counts. SLURM_NTASKS alone says only what was allotted.
constexpr launcher launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, // Open MPI
    {"PMI_SIZE", "PMI_RANK"},                         // MPICH, Intel MPI, MVAPICH, Slurm's PMI
    {"SLURM_NTASKS", "PMIX_RANK"},                    // Slurm's PMIx
};

int number(std::string_view name, const std::string& value, int least, int limit)
{
    int n = -1;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), n);
    if (problem != std::errc{} || end != value.data() + value.size() || n < least || n >= limit)
        throw_bad_value(name, value, "the program that started this process sets it; unset it, or SKELRT_CLUSTER=off");
    return n;
}

} // namespace

launch read_launch(const variable_reader& read)
{
    const std::string wish = read("SKELRT_CLUSTER").value_or("");
    if (!wish.empty() && wish != "mpi" && wish != "off")
        throw_bad_value("SKELRT_CLUSTER", wish, "allowed is mpi or off");
    launch found;
    if (wish == "off") return found;
    found.wanted = wish == "mpi";
    for (const launcher& l : launchers) {
        const auto size = read(l.size), rank = read(l.rank);
        if (!size || !rank) continue;
        constexpr int most = 1 << 24;
        found.size = number(l.size, *size, 1, most);
        found.rank = number(l.rank, *rank, 0, found.size);
        found.known = true;
        break;
    }
    return found;
}

launch read_launch()
{
    return read_launch([](std::string_view name) { return env_text(name); });
}

launch launched_on(const void* communicator)
{
    launch found = read_launch();
    if (!communicator || env_text("SKELRT_CLUSTER").value_or("") == "off") return found;
    found = {};
    found.communicator = communicator;
    return found;
}

} // namespace skelrt::detail
