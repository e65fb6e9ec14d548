// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <sched.h>

namespace bench
{

/// The cores that a rival's threads may have on this rank, one each: all that the rank has, also the one that skelrt
/// leaves to StarPU-MPI's thread. Empty sets, for threads that are not bound, where STARPU_NCPU asks for fewer.
/// The runtime lives, and the program's thread calls it.
std::vector<cpu_set_t> rank_cores();

} // namespace bench
