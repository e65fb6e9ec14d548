// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/programs/programs_plot.hpp"
#include "src/bench/programs/trials.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/processes.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
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
    bool opencl = false; ///< with its devices, too

    const char* automatic() const { return opencl ? all_devices : "hybrid"; }
};

/// Where a program's processes on a device leave what they learn.
std::filesystem::path learnt_by(const temporary_folder& all, std::string_view program, std::size_t size,
                                const std::string& device, int row)
{
    return all.path() / fmt::format("{}-{}-{}-{}", program, size, device, row);
}

/// Sums of many numbers differ by rounding, and single precision sums of squares by more.
bool agree(double a, double b) { return std::abs(a - b) <= 2e-3 * std::max({std::abs(a), std::abs(b), 1e-3}); }

/// All devices in turns, so that whatever disturbs the machine disturbs all alike; single late runs are not judged.
program_times times_of(const user_program& p, std::size_t size, const std::vector<std::string>& kinds,
                       const temporary_folder& states, const options& o)
{
    program_times t{std::string(p.name), size, {}, {}};
    std::optional<double> right;
    const auto run = [&](const std::string& device, int row) {
        const trial one = trial_of(p, size, device, learnt_by(states, p.name, size, device, row));
        if (!right) right = one.result;
        if (!agree(one.result, *right))
            throw std::runtime_error(
                fmt::format("programs: {} of {}: {} on {}, {} before", p.name, size, one.result, device, *right));
        return one.seconds;
    };
    std::map<std::string, std::vector<double>> alone;
    std::vector<std::vector<double>> automatic(static_cast<std::size_t>(o.runs));
    for (int row = 0; row < o.rows; ++row) {
        for (std::vector<double>& runs : automatic) {
            for (const std::string& kind : kinds) alone[kind].push_back(run(kind, row));
            runs.push_back(run(o.automatic(), row));
        }
    }
    for (auto& [kind, times] : alone) t.alone[kind] = summarize(std::move(times)).median;
    for (std::vector<double>& runs : automatic) t.automatic.push_back(summarize(std::move(runs)).median);
    return t;
}

/// Kernels are built before anything is timed; nothing else is learnt.
void build_kernels(const user_program& p, std::size_t size, const std::vector<std::string>& kinds,
                   const std::string& automatic)
{
    for (const std::string& kind : kinds)
        if (kind == "cuda" || kind == "opencl") trial_of(p, size, kind, "none");
    if (kinds.size() > 1) trial_of(p, size, automatic, "none");
}

std::string row_text(const program_times& t)
{
    std::string text = fmt::format("{:<11} {:>9}", t.name, t.size);
    for (const auto& [kind, seconds] : t.alone) text += fmt::format("  {} {:9.2f} ms", kind, seconds * 1e3);
    text += "  automatic";
    for (const double s : t.automatic) text += fmt::format(" {:9.2f}", s * 1e3);
    return text + fmt::format(" ms  ratios {:5.2f} {:5.2f}", t.first(), t.second());
}

double mean_of(const std::vector<program_times>& all, double (program_times::*ratio)() const)
{
    std::vector<double> ratios;
    for (const program_times& t : all) ratios.push_back((t.*ratio)());
    return geometric_mean(ratios);
}

double worst_of(const std::vector<program_times>& all, double (program_times::*ratio)() const)
{
    double worst = 0;
    for (const program_times& t : all) worst = std::max(worst, (t.*ratio)());
    return worst;
}

/// What it decided, told by two runs more: one with nothing learnt, and one that knows what the first row has learnt.
void keep_log(const user_program& p, const program_times& t, const temporary_folder& states, const options& o)
{
    constexpr double lost = 1.1;
    if (o.logs.empty() || (t.second() < lost && t.first() < 1.5)) return;
    std::filesystem::create_directories(o.logs);
    const auto told = [&](std::string_view which, int row) {
        const auto file = std::filesystem::path(o.logs) / fmt::format("{}-{}-{}.log", t.name, t.size, which);
        trial_of(p, t.size, o.automatic(), learnt_by(states, p.name, t.size, o.automatic(), row), file);
    };
    told("first", -1);
    told("later", 0);
}

std::vector<user_program> chosen(const options& o)
{
    std::vector<user_program> programs = all_user_programs();
    std::erase_if(programs, [&](const user_program& p) { return !p.name.starts_with(o.only); });
    if (programs.empty()) throw std::runtime_error(fmt::format("programs: none is called {}", o.only));
    return programs;
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

int judge(report& out, const options& o)
{
    const std::vector<std::string> kinds = alone_on_this_machine(o);
    if (o.size > 3) throw std::runtime_error("programs: --size is 1, 2 or 3 of the three sizes");
    const temporary_folder states;
    std::vector<program_times> all;
    out.heading(fmt::format("whole programs, {} runs in a row, medians of {} rows: automatic over the best single kind "
                            "of device",
                            o.runs, o.rows));
    for (const user_program& p : chosen(o)) {
        for (std::size_t k = 0; k < p.sizes.size(); ++k) {
            if (o.size > 0 && o.size != k + 1) continue;
            build_kernels(p, p.sizes[k], kinds, o.automatic());
            all.push_back(times_of(p, p.sizes[k], kinds, states, o));
            out.note(row_text(all.back()));
            keep_log(p, all.back(), states, o);
        }
    }
    if (!o.picture.empty()) draw_programs(all, o.picture);
    const double worst = worst_of(all, &program_times::second), mean = mean_of(all, &program_times::second);
    if (o.opencl) {
        out.figure("programs_opencl_worst", worst);
        out.figure("programs_opencl_mean", mean);
        return 0;
    }
    if (std::ranges::count(kinds, one_gpu) > 0) {
        out.figure("programs_two_gpus_worst", worst);
        out.figure("programs_two_gpus_mean", mean);
        return 0;
    }
    out.figure("programs_first_worst", worst_of(all, &program_times::first));
    out.figure("programs_first_mean", mean_of(all, &program_times::first));
    out.figure("programs_second_worst", worst);
    out.figure("programs_second_mean", mean);
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
    line.flag("--opencl", o->opencl, "on OpenCL devices, too, beside cores and CUDA");
    return [o](report& out) { return o->device.empty() ? judge(out, *o) : run_one(*o); };
}

} // namespace bench
