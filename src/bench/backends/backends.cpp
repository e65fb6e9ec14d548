// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/backends/skeleton_works.hpp"

#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/processes.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/format.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>

/// Every skeleton on CUDA and on OpenCL: processes of their own, since a GPU that StarPU has by one is not there by the
/// other.
namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    std::size_t n = std::size_t{16} << 20;
    int repeat = 9, rounds = 3;
    std::string one; ///< a backend that this process times
};

/// Seconds of a call, of some in a row that are waited for together.
double seconds_of(const skeleton_work& w)
{
    constexpr int together = 5;
    const double start = now();
    for (int i = 0; i < together; ++i) w.call();
    w.wait();
    return (now() - start) / together;
}

int time_one(const options& o)
{
    setenv("SKELRT_DEVICES", ("cpu," + o.one).c_str(), 1);
    setenv("STARPU_NCUDA", "1", 0);
    const sk::runtime rt;
    const sk::device kind = o.one == "cuda" ? sk::device::cuda : sk::device::opencl;
    const auto here = [&](const auto& d) { return d.kind == kind; };
    if (std::ranges::none_of(rt.devices(), here)) return fmt::print("absent {}\n", o.one), 0;
    fmt::print("devices {}\n", devices_text(rt));
    const sk::only there(kind);
    // One room after the other: their operands need not be there together.
    for (const auto works : {skeleton_works, algorithm_works})
        for (const skeleton_work& w : works(o.n)) {
            std::vector<double> times;
            for (int i = 0; i < o.repeat + 2; ++i) times.push_back(seconds_of(w));
            times.erase(times.begin(), times.begin() + 2);
            fmt::print("time {:.9g} {}\n", summarize(times).median, w.name);
        }
    return 0;
}

/// What processes of one backend said.
struct backend_times {
    std::string devices; ///< empty: it is not here
    std::vector<std::string> names;
    std::map<std::string, std::vector<double>> seconds;
};

void run_process(const options& o, const std::string& backend, backend_times& to)
{
    const std::string command =
        fmt::format("'{}' backends --one {} --n {} --repeat {}", own_program(), backend, o.n, o.repeat);
    bool understood = false;
    for (std::string line : lines_of(command)) {
        while (!line.empty() && line.back() == '\n') line.pop_back();
        double seconds = 0;
        int name = 0;
        if (line.starts_with("devices ")) {
            to.devices = line.substr(8);
        } else if (line.starts_with("absent ")) {
            understood = true;
        } else if (std::sscanf(line.c_str(), "time %lf %n", &seconds, &name) == 1) {
            understood = true;
            const std::string work = line.substr(static_cast<std::size_t>(name));
            if (!to.seconds.contains(work)) to.names.push_back(work);
            to.seconds[work].push_back(seconds);
        }
    }
    if (!understood) throw std::runtime_error("backends: a process failed: " + command);
}

void compare(report& out, backend_times& cuda, backend_times& opencl)
{
    double worst = 0;
    std::string worst_name;
    std::vector<double> ratios;
    std::vector<std::string> lines;
    const bool both = !cuda.devices.empty() && !opencl.devices.empty();
    for (const std::string& name : opencl.names.empty() ? cuda.names : opencl.names) {
        summary of_cuda, of_opencl;
        if (!cuda.devices.empty()) out.row(name, "CUDA", of_cuda = summarize(cuda.seconds[name]));
        if (!opencl.devices.empty()) out.row(name, "OpenCL", of_opencl = summarize(opencl.seconds[name]));
        if (!both) continue;
        const double ratio = of_opencl.median / of_cuda.median;
        lines.push_back(fmt::format("{:<26} {:8.2f}", name, ratio));
        if (ratio > worst) worst = ratio, worst_name = name;
        ratios.push_back(ratio);
    }
    if (!both) return;
    out.note("\ntime on OpenCL over that on CUDA");
    for (const std::string& line : lines) out.note(line);
    out.note("the worst: " + worst_name);
    out.figure("opencl_vs_cuda_worst", worst);
    out.figure("opencl_vs_cuda_mean", geometric_mean(ratios));
}

int backends(report& out, const options& o)
{
    if (!o.one.empty()) return time_one(o);
    backend_times cuda, opencl;
    for (int round = 0; round < o.rounds; ++round) {
        if (round == 0 || !cuda.devices.empty()) run_process(o, "cuda", cuda);
        if (round == 0 || !opencl.devices.empty()) run_process(o, "opencl", opencl);
    }
    for (const auto& [name, times] : {std::pair{"CUDA", &cuda}, std::pair{"OpenCL", &opencl}})
        out.note(
            fmt::format("{:<12} {}", std::string(name) + ":", times->devices.empty() ? "not here" : times->devices));
    out.heading(
        fmt::format("{} elements, resident; processes in turns, of each the median of {} calls", o.n, o.repeat));
    compare(out, cuda, opencl);
    if (cuda.devices.empty() || opencl.devices.empty())
        out.note("skipped: ratios need CUDA and OpenCL; one of them is not here");
    return 0;
}

} // namespace

runner declare_backends(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.positive("--n", o->n, "elements, about");
    line.positive("--repeat", o->repeat, "samples of a process");
    line.positive("--rounds", o->rounds, "processes of each backend");
    line.one_of("--one", o->one, {"cuda", "opencl"}, "only times it, for another process");
    return [o](report& out) { return backends(out, *o); };
}

} // namespace bench
