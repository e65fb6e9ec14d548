// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/doctor.hpp"

#include "src/cluster/start/launch.hpp"
#include "src/model/files/files.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/environment/starpu_home.hpp"
#include "src/tool/doctor/ask.hpp"
#include "src/tool/doctor/checks/calibration.hpp"
#include "src/tool/doctor/gather.hpp"
#include "src/tool/doctor/report.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace skelrt::tool::doctor
{

namespace
{

/// Says each finding as soon as it is there: some take seconds.
class examination
{
public:
    explicit examination(bool silent) : silent_(silent) {}
    void found(findings some)
    {
        for (const finding& f : some)
            if (!silent_) fmt::print("{}", line_of(f));
        std::fflush(stdout);
        add(all_, std::move(some));
    }
    const findings& all() const { return all_; }

private:
    bool silent_;
    findings all_;
};

detail::launch how_launched()
{
    try {
        return detail::read_launch();
    } catch (const error&) { // among the variables
        return {};
    }
}

/// Of this node; launchers that do not say how many get all counted.
int ranks_on_node(const detail::launch& started)
{
    for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
        if (const auto value = detail::env_text(name)) return std::max(std::atoi(value->c_str()), 1);
    return started.size;
}

void look_at_folders(examination& e)
{
    for (const folder_facts& f : gather_folders()) e.found(check_folder(f));
    for (const kept_file& f : gather_files()) e.found(check_file(f));
}

/// Where it hangs or crashes, what starts with each kind of device alone: the problem stays.
start_facts look_at_start(examination& e, const questions& q, const variables& set)
{
    const bool known = detail::links_are_measured();
    start_facts f = q.start(known);
    e.found(check_start(f, set));
    if (f.problem.empty()) return f;
    start_facts sound;
    sound.problem = f.problem;
    for (const char* kind : {"cpu", "cuda", "opencl"}) {
        if (!allows(set, kind)) continue;
        start_facts alone = q.start(known, kind);
        e.found(check_start_of(kind, alone));
        for (device_info& d : alone.devices) sound.devices.push_back(std::move(d));
        if (alone.workers.size() > sound.workers.size()) sound.workers = alone.workers;
    }
    return sound;
}

bool uses(const start_facts& f, device kind)
{
    return std::ranges::any_of(f.devices, [&](const device_info& d) { return d.kind == kind; });
}

void look_at_drivers(examination& e, const questions& q, const start_facts& started, const variables& set)
{
    const gpus_there gpus = gather_gpus();
    cuda_facts cuda = q.cuda();
    cuda.has_gpu = gpus.of_nvidia;
    cuda.in_use = uses(started, device::cuda);
    e.found(check_cuda(cuda, set));
    opencl_facts opencl = q.opencl();
    opencl.has_gpu = gpus.any;
    opencl.in_use = uses(started, device::opencl);
    opencl.gpus_in_use = cuda.in_use || opencl.in_use;
    e.found(check_opencl(opencl, set));
    e.found(check_permissions(gather_device_files()));
}

void look_at_devices(examination& e, const questions& q, const start_facts& started)
{
    bool any_link = false;
    for (const device_info& d : started.devices) {
        const trial t = q.try_device(d, !started.problem.empty());
        e.found(check_trial(t));
        e.found(check_speed(t, started.known.find(detail::kind_text(d.kind), d.number)));
        any_link = any_link || t.to > 0;
    }
    if (!any_link) e.found({fine("links", "not looked at: no GPU was measured")});
}

void look_at_calibration(examination& e, const start_facts& started)
{
    const std::filesystem::path folder = detail::models_folder();
    const auto file = folder.empty() ? folder : folder / (detail::machine_name() + ".machine.json");
    std::error_code none;
    e.found(check_calibration({file, std::filesystem::exists(file, none), started.known}));
}

} // namespace

int examine(const request& wanted)
{
    const detail::launch launched = how_launched();
    if (launched.rank > 0) return 0; // the first rank looks at the machine
    undo_binding_by_openmp();
    examination e(wanted.json);
    const variable_facts environment = gather_variables();
    e.found(check_variables(environment));
    look_at_folders(e);
    const questions q(wanted.limit_s, environment.unreadable);
    const start_facts started = look_at_start(e, q, environment.set);
    e.found(check_cores(gather_cores(environment.set, started.workers, ranks_on_node(launched))));
    look_at_drivers(e, q, started, environment.set);
    look_at_devices(e, q, started);
    look_at_calibration(e, started);
    rank_facts ranks = q.ranks();
    ranks.ranks = launched.size;
    e.found(check_ranks(ranks));
    fmt::print("{}", wanted.json ? as_json(e.all()) : sums_of(e.all()));
    return exit_code(e.all());
}

} // namespace skelrt::tool::doctor
