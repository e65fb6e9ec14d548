// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/node/shares.hpp"

#include "src/cluster/peers.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/log.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <bitset>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>

#include <dlfcn.h>
#include <sched.h>

namespace skelrt::detail
{

namespace
{

/// The machine's cores, each with the processing units that the system may give this process.
class cores_of_node
{
public:
    cores_of_node()
    {
        hwloc_topology_init(&topology_);
        hwloc_topology_load(topology_);
    }
    ~cores_of_node() { hwloc_topology_destroy(topology_); }
    cores_of_node(const cores_of_node&) = delete;
    cores_of_node& operator=(const cores_of_node&) = delete;

    int count() const { return std::max(hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_CORE), 0); }
    /// With a unit that the process may use now.
    core_list usable() const
    {
        const cpuset now;
        core_list all;
        if (hwloc_get_cpubind(topology_, now.bits, HWLOC_CPUBIND_PROCESS) != 0) return all;
        for (int k = 0; k < count(); ++k)
            if (hwloc_bitmap_intersects(units(k), now.bits)) all.push_back(k);
        return all;
    }
    bool bind_to(const core_list& cores) const
    {
        const cpuset wanted;
        for (int k : cores) hwloc_bitmap_or(wanted.bits, wanted.bits, units(k));
        return hwloc_set_cpubind(topology_, wanted.bits, HWLOC_CPUBIND_THREAD) == 0;
    }

private:
    struct cpuset {
        hwloc_bitmap_t bits = hwloc_bitmap_alloc();
        cpuset() = default;
        ~cpuset() { hwloc_bitmap_free(bits); }
        cpuset(const cpuset&) = delete;
        cpuset& operator=(const cpuset&) = delete;
    };
    hwloc_const_bitmap_t units(int core) const
    {
        return hwloc_get_obj_by_type(topology_, HWLOC_OBJ_CORE, static_cast<unsigned>(core))->cpuset;
    }

    hwloc_topology_t topology_ = nullptr;
};

/// How many GPUs the driver has, without CUDA, which reads what it may use only once, when it is first called.
unsigned count_gpus()
{
    const std::unique_ptr<void, int (*)(void*)> library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL),
                                                        [](void* l) { return l ? dlclose(l) : 0; });
    if (!library) return 0;
    const auto begin = reinterpret_cast<int (*)()>(dlsym(library.get(), "nvmlInit_v2"));
    const auto count = reinterpret_cast<int (*)(unsigned*)>(dlsym(library.get(), "nvmlDeviceGetCount_v2"));
    const auto end = reinterpret_cast<int (*)()>(dlsym(library.get(), "nvmlShutdown"));
    unsigned found = 0;
    if (!begin || !count || !end || begin() != 0) return 0;
    if (count(&found) != 0) found = 0;
    end();
    return found;
}

std::vector<std::string> visible_gpus()
{
    std::vector<std::string> names;
    if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
        for (std::string_view rest = visible; !rest.empty();) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            names.emplace_back(rest.substr(0, comma));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    } else {
        for (unsigned k = 0, n = count_gpus(); k < n; ++k) names.push_back(std::to_string(k));
    }
    return names;
}

std::string listed(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ",")); }

/// What ranks tell each other.
struct rank_on_node {
    static constexpr std::size_t most_cores = 2048;
    std::bitset<most_cores> cores;
    std::uint64_t gpus = 0; ///< hash of their names
};

core_list cores_in(const rank_on_node& r)
{
    core_list all;
    for (std::size_t k = 0; k < r.cores.size(); ++k)
        if (r.cores[k]) all.push_back(static_cast<int>(k));
    return all;
}

/// Somebody has said where StarPU's workers are to be.
bool cores_are_told()
{
    return env_text("STARPU_WORKERS_CPUID") || env_text("STARPU_WORKERS_COREID") ||
           env_flag("STARPU_WORKERS_NOBIND").value_or(false) || !env_flag("STARPU_WORKERS_GETBIND").value_or(true);
}

void take_cores(const peers& others, const cores_of_node& node, const std::vector<core_list>& may_use)
{
    if (may_use.front().empty() || cores_are_told()) return; // empty: the system does not say
    const auto mine = static_cast<std::size_t>(others.local_rank());
    const core_share share = share_of_cores(may_use, mine, node.count());
    if (share.cores == may_use[mine]) return;
    if (!node.bind_to(share.cores)) {
        log_warning("the system does not let rank {} of this node choose its cores; it goes on with all it may use",
                    others.local_rank());
        return;
    }
    if (share.widened && others.local_rank() == 0)
        log_warning("the program was started with one core for a rank, and takes an even share of this node's {} cores "
                    "for each of its {} ranks; `mpirun --bind-to none` says so, or --map-by slot:PE=n what you want",
                    node.count(), others.local_size());
    log_info("rank {} of {} on this node has {} of its {} cores", others.local_rank(), others.local_size(),
             share.cores.size(), node.count());
}

void take_gpus(const peers& others, const std::vector<std::string>& seen)
{
    const auto mine = share_of_gpus(seen, static_cast<std::size_t>(others.local_rank()),
                                    static_cast<std::size_t>(others.local_size()));
    if (mine.size() == seen.size()) return;
    setenv("CUDA_VISIBLE_DEVICES", listed(mine).c_str(), 1);
    log_info("rank {} of {} on this node has {} of its {} GPUs ({})", others.local_rank(), others.local_size(),
             mine.size(), seen.size(), mine.empty() ? "the others' ranks have one each" : listed(mine));
}

} // namespace

void divide_node(peers& others)
{
    if (others.local_size() < 2) return;
    const cores_of_node node;
    const std::vector<std::string> gpus = visible_gpus();
    rank_on_node me;
    for (int k : node.usable())
        if (static_cast<std::size_t>(k) < rank_on_node::most_cores) me.cores.set(static_cast<std::size_t>(k));
    me.gpus = std::hash<std::string>()(listed(gpus));

    std::vector<rank_on_node> all(static_cast<std::size_t>(others.local_size()));
    const std::vector<std::byte> told = others.gather_on_node(std::as_bytes(std::span(&me, 1)));
    std::memcpy(static_cast<void*>(all.data()), told.data(), told.size());

    std::vector<core_list> may_use;
    bool same_gpus = true;
    for (const rank_on_node& r : all) {
        may_use.push_back(cores_in(r));
        same_gpus = same_gpus && r.gpus == me.gpus;
    }
    take_cores(others, node, may_use);
    if (same_gpus) take_gpus(others, gpus);
}

} // namespace skelrt::detail
