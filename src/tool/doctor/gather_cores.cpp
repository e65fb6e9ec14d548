#include "src/model/files/files.hpp"
#include "src/tool/doctor/gather.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <sched.h>

namespace skelrt::tool::doctor
{

namespace
{

namespace fs = std::filesystem;

/// Cores of this machine; threads of one core count once.
struct counted_cores {
    unsigned all = 1, allowed = 1;
};

counted_cores count_cores()
{
    counted_cores n;
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0) return n;
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(topology) == 0) {
        cpu_set_t mask;
        const hwloc_bitmap_t mine = hwloc_bitmap_alloc();
        if (sched_getaffinity(0, sizeof mask, &mask) == 0)
            hwloc_cpuset_from_glibc_sched_affinity(topology, mine, &mask, sizeof mask);
        unsigned all = 0, allowed = 0;
        for (hwloc_obj_t c = nullptr; (c = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, c));) {
            ++all;
            if (hwloc_bitmap_intersects(c->cpuset, mine)) ++allowed;
        }
        hwloc_bitmap_free(mine);
        n = {std::max(all, 1u), std::max(allowed, 1u)};
    }
    hwloc_topology_destroy(topology);
    return n;
}

/// The smallest of this process's cgroup and those above it.
std::optional<double> smallest_quota()
{
    std::optional<double> least;
    const fs::path mounted = "/sys/fs/cgroup";
    fs::path below = cgroup_of(detail::read_file("/proc/self/cgroup").value_or(""));
    for (below = below.relative_path();; below = below.parent_path()) {
        const auto quota = quota_of(detail::read_file(mounted / below / "cpu.max").value_or(""));
        if (quota) least = std::min(least.value_or(*quota), *quota);
        if (below.empty()) return least;
    }
}

} // namespace

core_facts gather_cores(const variables& set, const std::vector<int>& workers, int ranks)
{
    const counted_cores n = count_cores();
    double load[1] = {0};
    static_cast<void>(getloadavg(load, 1));
    return {n.all, n.allowed, smallest_quota(), workers, ranks, load[0], set};
}

} // namespace skelrt::tool::doctor
