// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "runtime.hpp"

#include <mpi.h>

#include <memory>
#include <utility>

/// For programs that use MPI themselves; the only header of skelrt's that knows MPI.
namespace skelrt
{

/// Options of a runtime whose ranks are those of a communicator: `sk::runtime rt(sk::on(comm))`. They begin and end it
/// together; whoever is not in `comm` may compute alone, or on a communicator of its own. skelrt speaks on duplicates,
/// so the program's messages and its own never meet.
///
/// The program has begun MPI with MPI_THREAD_MULTIPLE, and ends it after the runtime. The runtime's start throws error
/// for less, for MPI_COMM_NULL, and for a communicator between two groups. SKELRT_CLUSTER=off: each process is alone.
inline options on(MPI_Comm comm, options wanted = {})
{
    wanted.communicator = std::make_shared<const MPI_Comm>(comm);
    return wanted;
}

} // namespace skelrt
