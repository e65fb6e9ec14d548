// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/rank_cores.hpp"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <starpu.h>

#include <cstdlib>

namespace bench
{

std::vector<cpu_set_t> rank_cores()
{
    if (std::getenv("STARPU_NCPU")) return std::vector<cpu_set_t>(starpu_cpu_worker_get_count());
    hwloc_topology_t topology = starpu_get_hwloc_topology();
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc(), one = hwloc_bitmap_alloc();
    hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_THREAD);
    std::vector<cpu_set_t> cores;
    for (int k = 0; k < hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE); ++k) {
        hwloc_bitmap_and(one, hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, static_cast<unsigned>(k))->cpuset,
                         allowed);
        if (hwloc_bitmap_iszero(one)) continue;
        hwloc_bitmap_singlify(one);
        hwloc_cpuset_to_glibc_sched_affinity(topology, one, &cores.emplace_back(), sizeof(cpu_set_t));
    }
    hwloc_bitmap_free(one);
    hwloc_bitmap_free(allowed);
    return cores;
}

} // namespace bench
