// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/doctor/checks/variables.hpp"

#include <optional>
#include <string_view>
#include <vector>

/// How many cores there are, how many this process may use, and how many threads want them. Pure.
namespace skelrt::tool::doctor
{

struct core_facts {
    unsigned cores = 0;          ///< of the machine; threads of one core count once
    unsigned allowed = 0;        ///< by the process's CPU mask
    std::optional<double> quota; ///< CPUs that its cgroup may keep busy; none: no limit
    std::vector<int> workers;    ///< where StarPU bound each of its CPU workers; empty: it did not start
    int ranks = 1;               ///< processes that a launcher started on this node
    double load = 0;             ///< threads that wanted to run, on average over the last minute
    variables set;               ///< the environment
};

findings check_cores(const core_facts& f);

/// CPUs that a cgroup may keep busy, from its file cpu.max: "150000 100000" is 1.5. Version 1 has two files with a
/// number each. None: no limit, or no such file.
std::optional<double> quota_of(std::string_view cpu_max);
/// A process's cgroup below where cgroups are mounted, from /proc/self/cgroup: "/user.slice". Version 1 has one for
/// each controller, "cpu"; version 2 has none of these.
std::string cgroup_of(std::string_view proc_self_cgroup, std::string_view controller = "");

} // namespace skelrt::tool::doctor
