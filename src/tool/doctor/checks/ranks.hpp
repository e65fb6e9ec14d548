// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/doctor/checks/devices.hpp"

#include <string>

/// Whether programs can be started as several ranks. Pure.
namespace skelrt::tool::doctor
{

struct rank_facts : asked {
    std::string library;     ///< libskelrt-mpi, as it is looked for
    std::string not_loaded;  ///< what the loader says; empty: it is loaded
    std::string its, ours;   ///< "skelrt 0.2.0 with StarPU 1.4.10"
    std::string mpi;         ///< what that library's MPI says about itself
    std::string launcher;    ///< mpirun, with its folder; empty: it is not in PATH
    std::string launcher_is; ///< what mpirun --version says
    int ranks = 1;           ///< processes that a launcher started this one with
    bool asked_for = false;  ///< SKELRT_CLUSTER=mpi, SKELRT_CLUSTER_LIBRARY, or several ranks
};

findings check_ranks(const rank_facts& f);

/// "Open MPI 4.1.4", "MPICH 4.0.2", "Intel MPI 2021.9" of what an MPI library or its mpirun says; empty: unknown.
std::string mpi_in(const std::string& text);

} // namespace skelrt::tool::doctor
