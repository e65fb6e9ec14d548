// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

namespace skelrt::tool::doctor
{

namespace
{

constexpr const char* about = "cores";

std::string counted(unsigned n) { return fmt::format("{} core{}", n, n == 1 ? "" : "s"); }

int number_of(const variables& set, std::string_view name) { return std::atoi(value_of(set, name).c_str()); }

bool is_true(const variables& set, std::string_view name)
{
    const std::string value = value_of(set, name);
    return !value.empty() && value != "0" && value != "false" && value != "FALSE";
}

unsigned places(const core_facts& f)
{
    const std::set<int> different(f.workers.begin(), f.workers.end());
    return static_cast<unsigned>(different.size());
}

/// Several ranks share a node's cores out among themselves, also where the launcher leaves each of them one.
void check_mask(findings& to, const core_facts& f)
{
    if (f.allowed >= f.cores) return;
    const std::string what = fmt::format("this process may use {} of {}", f.allowed, counted(f.cores));
    if (f.ranks > 1)
        to.push_back(fine(about, fmt::format("{}; it is one of {} ranks, which share the node out", what, f.ranks)));
    else if (f.allowed == 1)
        to.push_back(warn(about, what + ": it is bound to one",
                          "start it without taskset, ask the batch system for more, unset OMP_PROC_BIND and "
                          "GOMP_CPU_AFFINITY, or give mpirun --bind-to none"));
}

void check_workers(findings& to, const core_facts& f)
{
    const auto workers = static_cast<unsigned>(f.workers.size());
    if (workers == 0) return;
    if (workers > f.allowed)
        to.push_back(wrong(
            about,
            fmt::format("StarPU takes {} workers, and {} may be used: they take turns", workers, counted(f.allowed)),
            fmt::format("STARPU_NCPU={}, or leave it unset", f.allowed)));
    else if (workers > places(f) && !is_true(f.set, "STARPU_WORKERS_NOBIND"))
        to.push_back(wrong(about, fmt::format("StarPU bound {} workers to {}", workers, counted(places(f))),
                           "unset STARPU_WORKERS_CPUID, STARPU_WORKERS_COREID and OMP_PROC_BIND"));
    if (f.quota && *f.quota + 0.5 < workers)
        to.push_back(warn(
            about,
            fmt::format(
                "the cgroup keeps {:.1f} CPUs busy at most, and StarPU takes {} workers: all are stopped now and then",
                *f.quota, workers),
            fmt::format("STARPU_NCPU={:.0f}, or a larger quota", std::max(1.0, *f.quota))));
    if (is_true(f.set, "STARPU_WORKERS_NOBIND") && f.ranks == 1)
        to.push_back(warn(about, "STARPU_WORKERS_NOBIND=1: workers move from core to core",
                          "unset it, unless several programs run here"));
}

/// Where nobody says how many cores a rank takes, ranks share them out.
void check_ranks(findings& to, const core_facts& f)
{
    const auto each = number_of(f.set, "STARPU_NCPU");
    const auto all = static_cast<unsigned>(std::max(each * f.ranks, 0));
    if (f.ranks > 1 && all > f.cores)
        to.push_back(
            warn(about, fmt::format("{} ranks with STARPU_NCPU={} want {} of {}", f.ranks, each, all, counted(f.cores)),
                 "unset STARPU_NCPU: ranks share the cores of a node out among themselves"));
}

void check_openmp(findings& to, const core_facts& f)
{
    if (is_true(f.set, "OMP_PROC_BIND"))
        to.push_back(
            warn(about,
                 fmt::format("OMP_PROC_BIND={} binds the program's first thread, where skelrt's own are bound, too",
                             value_of(f.set, "OMP_PROC_BIND")),
                 "unset OMP_PROC_BIND"));
    const bool waits_awake =
        value_of(f.set, "OMP_WAIT_POLICY") == "active" || value_of(f.set, "OMP_WAIT_POLICY") == "ACTIVE";
    if (waits_awake && number_of(f.set, "OMP_NUM_THREADS") != 1)
        to.push_back(warn(about, "OMP_WAIT_POLICY=active: the program's OpenMP threads keep cores that skelrt's want",
                          "OMP_WAIT_POLICY=passive, or OMP_NUM_THREADS=1"));
    else if (number_of(f.set, "OMP_NUM_THREADS") > static_cast<int>(f.allowed))
        to.push_back(warn(
            about,
            fmt::format("OMP_NUM_THREADS={}, and {} may be used: the program's OpenMP loops take turns with themselves",
                        value_of(f.set, "OMP_NUM_THREADS"), counted(f.allowed)),
            fmt::format("OMP_NUM_THREADS={}; skelrt's threads follow STARPU_NCPU", f.allowed)));
}

void check_load(findings& to, const core_facts& f)
{
    if (f.load <= 0.5 * f.cores) return;
    to.push_back(warn(about,
                      fmt::format("other programs wanted about {:.1f} cores during the last minute, and there are {}",
                                  f.load, f.cores),
                      "measure when they are gone; STARPU_NCPU leaves cores to them"));
}

} // namespace

findings check_cores(const core_facts& f)
{
    findings all;
    check_mask(all, f);
    check_workers(all, f);
    check_ranks(all, f);
    check_openmp(all, f);
    check_load(all, f);
    if (!all.empty()) return all;
    const std::string workers = f.workers.empty() ? "" : fmt::format(", {} for StarPU's workers", f.workers.size());
    return {fine(about, fmt::format("{}, of which {} may be used{}", counted(f.cores), f.allowed, workers))};
}

std::optional<double> quota_of(std::string_view cpu_max)
{
    std::istringstream in{std::string(cpu_max)};
    double quota = 0, period = 0;
    if (!(in >> quota >> period) || quota <= 0 || period <= 0) return {}; // "max" is no number
    return quota / period;
}

std::string cgroup_of(std::string_view proc_self_cgroup, std::string_view controller)
{
    std::istringstream in{std::string(proc_self_cgroup)};
    for (std::string number, controllers, path; std::getline(in, number, ':');) { // "4:cpu,cpuacct:/user.slice"
        if (!std::getline(in, controllers, ':') || !std::getline(in, path)) break;
        const std::string wanted = fmt::format(",{},", controller);
        if (controller.empty() ? controllers.empty()
                               : fmt::format(",{},", controllers).find(wanted) != std::string::npos)
            return path;
    }
    return {};
}

} // namespace skelrt::tool::doctor
