// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/mixes/work.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/processes.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/core.h>
#include <skelrt/farm.hpp>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    std::string device;     ///< empty: all are compared, each in processes of their own
    std::size_t items = 64; ///< of a farm
    int mix = -1;           ///< only this one, with --device; negative: all
    int repeat = 10;        ///< of a farm, in a row
};

/// Seconds of the farms of one mix.
double seconds_of(const mix& m, const options& o)
{
    std::vector<std::unique_ptr<item_work>> items;
    for (std::size_t k = 0; k < o.items; ++k) items.push_back(make_item_work(m.kinds[k % m.kinds.size()]));
    const auto all = sk::farm([](std::unique_ptr<item_work>& w) { return w->run(); });
    double took = 0;
    for (int round = 0; round < o.repeat; ++round) {
        if (m.fresh || round == 0)
            for (auto& w : items) w->write_anew();
        const double begin = now();
        const std::vector<double> results = all(items);
        const double seconds = now() - begin;
        took += seconds;
        if (o.mix >= 0) fmt::print("{} farm {}: {:.2f} ms\n", m.name, round, seconds * 1e3);
        if (!std::ranges::all_of(results, [](double r) { return std::isfinite(r) && r > 0; }))
            throw std::runtime_error(fmt::format("mixes: {}: an item's result is wrong", m.name));
    }
    return took;
}

/// What one process does: the farms of all mixes, on one kind of device or on all.
int run_on(const options& o)
{
    const auto rt = start_runtime(o.device);
    std::optional<sk::only> only;
    if (o.device != "hybrid") only.emplace(o.device == "cuda" ? sk::device::cuda : sk::device::cpu);
    const std::vector<mix> mixes = all_mixes();
    for (std::size_t k = 0; k < mixes.size(); ++k)
        if (o.mix < 0 || o.mix == static_cast<int>(k)) fmt::print("seconds {}\n", seconds_of(mixes[k], o));
    return 0;
}

/// Of each mix, by a process of its own with these models.
std::vector<double> times_of_process(const std::string& device, const std::filesystem::path& models, const options& o)
{
    const std::string command = fmt::format("SKELRT_MODELS='{}' '{}' mixes --device {} --items {} --repeat {}",
                                            models.string(), own_program(), device, o.items, o.repeat);
    std::vector<double> times;
    for (const std::string& line : lines_of(command))
        if (double seconds = 0; std::sscanf(line.c_str(), "seconds %lf", &seconds) == 1) times.push_back(seconds);
    if (times.size() != all_mixes().size()) throw std::runtime_error("mixes: a process failed: " + command);
    return times;
}

/// The times of each mix on one kind of device, or on all: of a first process and of a second one.
struct device_times {
    std::vector<double> first, second;
};

device_times times_on(const std::string& device, const temporary_folder& models, const options& o)
{
    device_times t;
    t.first = times_of_process(device, models.path() / device, o);
    t.second = times_of_process(device, models.path() / device, o);
    return t;
}

int compare(report& out, const options& o)
{
    bool gpu = false;
    {
        const auto rt = start_runtime("hybrid");
        gpu = has_cuda(*rt);
    }
    const temporary_folder models;
    for (const char* device : {"cuda", "hybrid"}) // all find their kernels, and know nothing
        if (gpu) times_of_process(device, models.path() / "of_nobody", o);
    const device_times automatic = times_on("hybrid", models, o), cpu = times_on("cpu", models, o),
                       cuda = gpu ? times_on("cuda", models, o) : device_times{};
    out.heading(fmt::format("farms of {} items, {} in a row: automatic over the best single kind of device", o.items,
                            o.repeat));
    double worst_first = 0, worst_second = 0, mixed = 0;
    const std::vector<mix> mixes = all_mixes();
    for (std::size_t k = 0; k < mixes.size(); ++k) {
        const double by_gpu = gpu ? cuda.second[k] : std::numeric_limits<double>::infinity(),
                     best = std::min(cpu.second[k], by_gpu),
                     first = automatic.first[k] / (gpu ? std::min(cpu.first[k], cuda.first[k]) : cpu.first[k]),
                     second = automatic.second[k] / best;
        out.note(fmt::format(
            "{:<28} cores {:8.1f} ms, CUDA {:8.1f} ms, automatic {:8.1f} ms, the first time {:8.1f} ms", mixes[k].name,
            cpu.second[k] * 1e3, by_gpu * 1e3, automatic.second[k] * 1e3, automatic.first[k] * 1e3));
        worst_first = std::max(worst_first, first), worst_second = std::max(worst_second, second);
        if (mixes[k].kinds.size() == all_item_kinds && mixes[k].fresh) mixed = 1 / second;
        out.figure(fmt::format("farm_mix_{}_vs_best_single", k), second);
    }
    out.figure("farm_mixed_hybrid", mixed);
    out.figure("farm_worst_vs_best_single_first", worst_first);
    out.figure("farm_worst_vs_best_single", worst_second);
    return 0;
}

} // namespace

runner declare_mixes(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.without_default("--device", o->device, "cpu, cuda or hybrid: only run there, in this process");
    line.positive("--items", o->items, "of a farm");
    line.without_default("--mix", o->mix, "with --device: only this one, of 0 to 11");
    line.positive("--repeat", o->repeat, "farms in a row");
    return [o](report& out) { return o->device.empty() ? compare(out, *o) : run_on(*o); };
}

} // namespace bench
