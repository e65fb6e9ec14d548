// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/programs/judge/applications.hpp"
#include "src/bench/programs/judge/explain.hpp"
#include "src/bench/programs/judge/programs_plot.hpp"
#include "src/bench/programs/judge/trials.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/processes.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace bench
{
namespace
{

struct options {
    std::string only;     ///< programs whose names begin like this; empty: all
    std::string device;   ///< with it, one program runs once in this process
    std::size_t size = 0; ///< what `device` runs; or which of the three sizes, from 1 on; 0: all
    int runs = 2;         ///< in a row, each a process that knows what the one before has learnt
    int rows = 3;         ///< of such runs, each of which begins with nothing learnt
    std::string logs;     ///< a folder for what losers decided
    std::string picture;
    std::size_t explain = 0; ///< so many losers
    bool opencl = false;     ///< with its devices, too
    bool apps = false;       ///< instead of programs of its own
    std::string folder;      ///< of them

    const char* automatic() const { return opencl ? all_devices : "hybrid"; }
};

/// A program of one size, and what its runs have left.
struct judgement {
    judged_program program;
    program_times times;
};

/// Where a program's processes on a device leave what they learn.
std::filesystem::path learnt_by(const temporary_folder& all, const judged_program& p, const std::string& device,
                                int row)
{
    return all.path() / fmt::format("{}-{}-{}-{}", p.name, p.size, device, row);
}

/// Sums of many numbers differ by rounding, and single precision sums of squares by more.
bool agree(double a, double b) { return std::abs(a - b) <= 2e-3 * std::max({std::abs(a), std::abs(b), 1e-3}); }

/// All devices in turns, so that whatever disturbs the machine disturbs all alike; single late runs are not judged.
program_times times_of(const judged_program& p, const std::vector<std::string>& kinds, const temporary_folder& states,
                       const options& o)
{
    program_times t{p.name, p.size, {}, {}};
    std::optional<double> right;
    const auto run = [&](const std::string& device, int row) {
        const trial one = p.run(device, {learnt_by(states, p, device, row)});
        if (!right) right = one.result;
        if (!agree(one.result, *right))
            throw std::runtime_error(
                fmt::format("programs: {} of {}: {} on {}, {} before", p.name, p.size, one.result, device, *right));
        return one.seconds;
    };
    std::vector<std::string> all = kinds;
    all.emplace_back(o.automatic());
    std::map<std::string, std::vector<std::vector<double>>> rows; // by device, of each run
    for (int row = 0; row < o.rows; ++row)
        for (int k = 0; k < o.runs; ++k)
            for (const std::string& device : all) {
                rows[device].resize(static_cast<std::size_t>(o.runs));
                rows[device][static_cast<std::size_t>(k)].push_back(run(device, row));
            }
    for (auto& [device, runs] : rows) {
        run_times& to = device == o.automatic() ? t.automatic : t.alone[device];
        for (std::vector<double>& times : runs) to.push_back(summarize(std::move(times)).median);
    }
    return t;
}

/// Kernels are built before anything is timed; nothing else is learnt.
void build_kernels(const judged_program& p, const std::vector<std::string>& kinds, const std::string& automatic)
{
    for (const std::string& kind : kinds)
        if (kind == "cuda" || kind == "opencl") p.run(kind, {"none"});
    if (kinds.size() > 1) p.run(automatic, {"none"});
}

std::string row_text(const program_times& t)
{
    std::string text = fmt::format("{:<11} {:>9}", t.name, t.size);
    for (const auto& [kind, runs] : t.alone)
        text += fmt::format("  {} {:9.2f} {:9.2f}", kind, runs.front() * 1e3, runs.later() * 1e3);
    text += fmt::format("  automatic {:9.2f} {:9.2f} ms", t.automatic.front() * 1e3, t.automatic.later() * 1e3);
    return text + fmt::format("  ratios {:5.2f} {:5.2f}", t.first(), t.second());
}

/// What it decided, told by two runs more: one with nothing learnt, and one that knows what the first row has learnt.
void keep_log(const judgement& j, const temporary_folder& states, const options& o)
{
    constexpr double lost = 1.1;
    const judged_program& p = j.program;
    const program_times& t = j.times;
    if (o.logs.empty() || (t.second() < lost && t.first() < 1.5)) return;
    std::filesystem::create_directories(o.logs);
    const auto told = [&](std::string_view which, int row) {
        const auto file = std::filesystem::path(o.logs) / fmt::format("{}-{}-{}.log", t.name, t.size, which);
        p.run(o.automatic(), {learnt_by(states, p, o.automatic(), row), file});
    };
    told("first", -1);
    told("later", 0);
}

/// Of the worst ones, which calls cost how much, told by one more run of each kind: it knows what the first row has
/// learnt.
void explain(report& out, std::vector<judgement> all, const temporary_folder& states, const options& o)
{
    std::ranges::stable_sort(all, std::ranges::greater{}, [](const judgement& j) { return j.times.second(); });
    all.resize(std::min(all.size(), o.explain));
    for (const judgement& j : all) {
        const std::string kind = j.times.best_kind();
        double seconds = 0;
        const auto traced = [&](const std::string& device, double sign) {
            const std::filesystem::path file = states.path() / "trace.json";
            seconds += sign * j.program.run(device, {learnt_by(states, j.program, device, 0), {}, file}).seconds;
            return skelrt::tool::read_traces({&file, 1});
        };
        const auto costs = costs_of_calls(traced(o.automatic(), 1), traced(kind, -1));
        out.note(fmt::format("{} {}: {:.2f} ms more than {} alone, traced\n{}", j.times.name, j.times.size,
                             seconds * 1e3, kind, costs_text(costs, kind, seconds * 1e6)));
    }
}

/// All sizes that were asked for of all programs.
std::vector<judged_program> chosen(const options& o)
{
    if (o.size > 3) throw std::runtime_error("programs: --size is 1, 2 or 3 of the three sizes");
    std::vector<judged_program> all;
    const auto add = [&](const auto& p, const auto&... where) {
        for (std::size_t k = 0; k < p.sizes.size(); ++k)
            if (p.name.starts_with(o.only) && (o.size == 0 || o.size == k + 1))
                all.push_back(judged(p, p.sizes[k], where...));
    };
    const std::filesystem::path folder = o.folder.empty() ? folder_of_applications() : std::filesystem::path(o.folder);
    if (o.apps)
        for (const judged_application& a : judged_applications()) add(a, folder);
    else
        for (const user_program& p : all_user_programs()) add(p);
    if (all.empty()) throw std::runtime_error(fmt::format("programs: none is called {}", o.only));
    return all;
}

/// Each kind of device and, of several GPUs, one.
std::vector<std::string> alone_on_this_machine(const options& o)
{
    std::vector<std::string> kinds{"cpu"};
    const auto rt = start_runtime(o.automatic());
    if (has_cuda(*rt)) kinds.push_back("cuda");
    if (count_cuda(*rt) > 1) kinds.push_back(one_gpu);
    if (o.opencl) kinds.push_back("opencl");
    return kinds;
}

/// The worst and the mean of all programs.
void tell_figures(report& out, const std::string& name, const std::vector<judgement>& all,
                  double (program_times::*ratio)() const)
{
    std::vector<double> ratios;
    for (const judgement& j : all) ratios.push_back((j.times.*ratio)());
    out.figure(name + "_worst", *std::ranges::max_element(ratios));
    out.figure(name + "_mean", geometric_mean(ratios));
}

void tell_all_figures(report& out, const std::vector<judgement>& all, bool several_gpus, const options& o)
{
    const std::string of = o.apps ? "programs_apps_" : "programs_";
    if (o.opencl) return tell_figures(out, of + "opencl", all, &program_times::second);
    if (several_gpus) return tell_figures(out, of + "two_gpus", all, &program_times::second);
    tell_figures(out, of + "first", all, &program_times::first);
    tell_figures(out, of + "second", all, &program_times::second);
    if (o.runs >= 10) tell_figures(out, of + "tenth", all, &program_times::tenth);
}

int judge(report& out, const options& o)
{
    const std::vector<judged_program> programs = chosen(o);
    const std::vector<std::string> kinds = alone_on_this_machine(o);
    const temporary_folder states;
    std::vector<judgement> all;
    out.heading(fmt::format("whole programs, {} runs in a row, medians of {} rows: automatic over the best single kind "
                            "of device, of first and of later runs",
                            o.runs, o.rows));
    for (const judged_program& p : programs) {
        build_kernels(p, kinds, o.automatic());
        all.push_back({p, times_of(p, kinds, states, o)});
        out.note(row_text(all.back().times));
        keep_log(all.back(), states, o);
    }
    std::vector<program_times> times;
    for (const judgement& j : all) times.push_back(j.times);
    if (!o.picture.empty()) draw_programs(times, o.picture);
    explain(out, all, states, o);
    tell_all_figures(out, all, std::ranges::count(kinds, one_gpu) > 0, o);
    return 0;
}

int run_one(const options& o)
{
    for (const user_program& p : all_user_programs())
        if (p.name == o.only) return run_here(p, o.size, o.device);
    throw std::runtime_error(fmt::format("programs: none is called {}", o.only));
}

} // namespace

runner declare_programs(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.without_default("--only", o->only, "programs whose names begin like this");
    line.without_default("--size", o->size, "1, 2 or 3: only this one of the three sizes; with --device, the size");
    line.without_default("--device", o->device,
                         "cpu, cuda, cuda:1, opencl, hybrid or all: one program, once, in this process");
    line.positive("--runs", o->runs, "of each, in a row, as processes that know what the one before has learnt");
    line.positive("--rows", o->rows, "of such runs, each of which begins with nothing learnt");
    line.without_default("--logs", o->logs, "a folder for the decisions of those that lost");
    line.without_default("--picture", o->picture, "a PNG of all ratios");
    line.positive("--explain", o->explain, "of so many of the worst, which calls cost how much");
    line.flag("--applications", o->apps, "these, each in three sizes, instead of programs of its own");
    line.without_default("--apps", o->folder, "the folder of the applications, if they are not where they were built");
    line.flag("--opencl", o->opencl, "on OpenCL devices, too, beside cores and CUDA");
    return [o](report& out) { return o->device.empty() ? judge(out, *o) : run_one(*o); };
}

} // namespace bench
