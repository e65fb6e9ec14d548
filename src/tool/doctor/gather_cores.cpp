// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/files.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/tool/doctor/gather.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <sched.h>
#include <unistd.h>

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

std::string text_of(const fs::path& file) { return detail::read_file(file).value_or(""); }

/// The smallest of a cgroup and those above it; `read` gives what a folder's files say.
template <class Read>
std::optional<double> smallest_quota(const fs::path& mounted, const std::string& cgroup, Read read)
{
    std::optional<double> least;
    for (fs::path below = fs::path(cgroup).relative_path();; below = below.parent_path()) {
        const auto quota = quota_of(read(mounted / below));
        if (quota) least = std::min(least.value_or(*quota), *quota);
        if (below.empty()) return least;
    }
}

std::optional<double> quota()
{
    const std::string mine = text_of("/proc/self/cgroup");
    const auto of_version_2 = smallest_quota("/sys/fs/cgroup", cgroup_of(mine),
                                             [](const fs::path& folder) { return text_of(folder / "cpu.max"); });
    if (of_version_2) return of_version_2;
    return smallest_quota("/sys/fs/cgroup/cpu", cgroup_of(mine, "cpu"), [](const fs::path& folder) {
        return text_of(folder / "cpu.cfs_quota_us") + " " + text_of(folder / "cpu.cfs_period_us");
    });
}

} // namespace

void undo_binding_by_openmp()
{
    const std::string bind = detail::env_text("OMP_PROC_BIND").value_or("false");
    cpu_set_t mask;
    if (bind == "false" || sched_getaffinity(getppid(), sizeof mask, &mask) != 0) return;
    sched_setaffinity(0, sizeof mask, &mask);
}

core_facts gather_cores(const variables& set, const std::vector<int>& workers, int ranks)
{
    const counted_cores n = count_cores();
    double load[1] = {0};
    static_cast<void>(getloadavg(load, 1));
    return {n.all, n.allowed, quota(), workers, ranks, load[0], set};
}

} // namespace skelrt::tool::doctor
