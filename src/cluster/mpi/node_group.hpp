// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace skelrt::detail
{

/// The ranks that share this node's memory; where each seems to be alone (containers), those with the same processor
/// name. All ranks come here.
MPI_Comm make_node_group(MPI_Comm all);

} // namespace skelrt::detail
