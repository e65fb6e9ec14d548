// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/hybrid/hybrid_works.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/processes.hpp"
#include "src/bench/shared/timing.hpp"
#include "src/bench/tuning/fixed_choices.hpp"

#include <fmt/format.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

/// What work-groups and blocks, devices and splits are worth: automatic, tuned and every fixed choice.
namespace bench
{
namespace
{

namespace sk = skelrt;
namespace fs = std::filesystem;

/// Six applications, and two skeletons by themselves.
constexpr std::array names{"mandelbrot", "coulomb", "blur", "heat", "sor", "ode", "dot", "scan"};
constexpr std::size_t applications = 6;

struct options {
    std::string device = "cpu", only, tool;
    std::size_t n = 0;
    int repeat = 7, steps = 0; ///< steps: all works make so many, untimed, and nothing else is done: for `skelrt tune`
    bool untuned = false;
};

/// Of this process and of those that it starts; what the user has set stays.
void choose_devices(const std::string& device)
{
    constexpr int keep = 0;
    if (device == "cuda") {
        setenv("SKELRT_DEVICES", "cpu,cuda", keep);
        setenv("STARPU_NCUDA", "1", keep);
    } else {
        setenv("SKELRT_DEVICES", device == "opencl" ? "cpu,opencl" : "cpu", keep);
    }
}

void require(const std::string& device, const sk::runtime& rt)
{
    const std::map<std::string, sk::device> kinds{
        {"cpu", sk::device::cpu}, {"cuda", sk::device::cuda}, {"opencl", sk::device::opencl}};
    for (const auto& d : rt.devices())
        if (d.kind == kinds.at(device)) return;
    throw std::runtime_error(fmt::format("no {} device is in use", device));
}

struct named_work {
    std::string name;
    bool application;
    std::unique_ptr<hybrid_work> work;
};

std::vector<named_work> make_works(const options& o, rival_team& helpers)
{
    std::vector<named_work> works;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!std::string(names[i]).starts_with(o.only)) continue;
        const auto all = hybrid_kinds();
        const auto kind = std::ranges::find(all, names[i], &hybrid_kind::name);
        works.push_back({names[i], i < applications, kind->make(o.n, helpers)});
    }
    if (works.empty()) throw std::runtime_error("no work is called " + o.only);
    return works;
}

int only_steps(const options& o)
{
    const sk::runtime rt;
    rival_team helpers;
    for (const named_work& w : make_works(o, helpers))
        for (int i = 0; i < o.steps; ++i) w.work->step(), w.work->wait();
    return 0;
}

/// Beside this program, as it was built or installed; empty: not there.
fs::path find_tool()
{
    const fs::path here = fs::path(own_program()).parent_path();
    for (const fs::path& p : {here / "skelrt", here / "../tool/skelrt"})
        if (fs::exists(p)) return p;
    return {};
}

/// Lets `skelrt tune` find a plan for all works. False: nobody is here to do so.
bool tune(report& out, const options& o, const fs::path& plan)
{
    const fs::path tool = o.tool.empty() ? find_tool() : fs::path(o.tool);
    if (tool.empty()) {
        out.warn("tuned: left out, since there is no program skelrt beside this one (see --tool)");
        return false;
    }
    constexpr int each = 4;
    const std::string command =
        fmt::format("'{}' tune -o '{}' '{}' tuning --device {} --n {} --steps {}{} 2>&1", tool.string(), plan.string(),
                    own_program(), o.device, o.n, each, o.only.empty() ? std::string() : " --only '" + o.only + "'");
    std::string last;
    for (const std::string& line : lines_of(command)) last = line;
    if (!fs::exists(plan)) throw std::runtime_error("skelrt tune failed: " + last);
    return true;
}

/// Somebody's placement: no plan: by SKELRT_PLAN, an empty one: automatic.
struct contender {
    std::string name;
    std::optional<sk::plan> what;
    bool sets_blocks = false, usual_blocks = false;
};

std::vector<contender> contenders(const sk::runtime& rt, bool tuned)
{
    std::vector<contender> all{{"automatic", sk::plan()}};
    if (tuned) all.push_back({"tuned", std::nullopt});
    for (fixed_choice& c : fixed_choices(rt.devices()))
        all.push_back({c.name, std::move(c.what), c.sets_blocks, c.usual_blocks});
    return all;
}

constexpr int timed_steps = 3;

/// Seconds of a step, on data that lies where the same placement has left it.
double sample(hybrid_work& work, const contender& who)
{
    std::optional<sk::follow> scope;
    if (who.what) scope.emplace(*who.what);
    work.step();
    work.wait();
    const double start = now();
    for (int i = 0; i < timed_steps; ++i) work.step();
    work.wait();
    return (now() - start) / timed_steps;
}

/// Why a work cannot be placed so; empty: it can.
std::string obstacle(hybrid_work& work, const contender& who)
{
    try {
        sample(work, who);
        return {};
    } catch (const sk::error& e) {
        return e.what();
    }
}

struct outcome {
    double automatic = 0, tuned = 0, best_fixed = 0;
    double usual_blocks = 0, best_blocks = 0; ///< of the first GPU

    void note(const contender& who, double median)
    {
        const auto least = [&](double& of) { of = of == 0 ? median : std::min(of, median); };
        if (who.name == "automatic") automatic = median;
        else if (who.name == "tuned") tuned = median;
        else least(best_fixed);
        if (who.usual_blocks) usual_blocks = median;
        if (who.usual_blocks || who.sets_blocks) least(best_blocks);
    }
};

outcome measure(report& out, const named_work& w, const std::vector<contender>& all, int rounds)
{
    std::vector<contestant> able;
    std::vector<const contender*> who;
    out.heading(w.name);
    for (const contender& c : all) {
        const std::string why = obstacle(*w.work, c);
        if (why.empty()) able.push_back({c.name, [&] { return sample(*w.work, c); }}), who.push_back(&c);
        else out.note(fmt::format("{:<26} {:<22} not possible: {}", w.name, c.name, why));
    }
    const auto times = alternate(able, 2, rounds);
    outcome o;
    for (std::size_t i = 0; i < able.size(); ++i) {
        out.row(w.name, able[i].name, times[i]);
        o.note(*who[i], times[i].median);
    }
    return o;
}

void tell(report& out, const std::string& what, const std::vector<double>& ratios)
{
    if (ratios.empty()) return;
    out.figure("tuning_worst_" + what, std::ranges::max(ratios));
    out.figure("tuning_mean_" + what, geometric_mean(ratios));
}

void compare(report& out, const std::vector<named_work>& works, const std::vector<contender>& all, int rounds)
{
    std::vector<double> automatic, tuned, blocks;
    for (const named_work& w : works) {
        const outcome o = measure(out, w, all, rounds);
        if (o.usual_blocks > 0) blocks.push_back(o.usual_blocks / o.best_blocks);
        if (!w.application || o.best_fixed == 0) continue;
        automatic.push_back(o.automatic / o.best_fixed);
        if (o.tuned > 0) tuned.push_back(o.tuned / o.best_fixed);
    }
    tell(out, "auto_vs_best_fixed", automatic);
    tell(out, "usual_vs_best_block", blocks);
    tell(out, "tuned_vs_best_fixed", tuned);
}

int tuning(report& out, options o)
{
    choose_devices(o.device);
    if (o.n == 0) o.n = o.device == "cuda" ? std::size_t{4} << 20 : std::size_t{1} << 18;
    if (o.steps > 0) return only_steps(o);
    const temporary_folder scratch;
    const fs::path plan = scratch.path() / "plan.json";
    const bool tuned = !o.untuned && tune(out, o, plan);
    if (tuned) setenv("SKELRT_PLAN", plan.c_str(), 1);
    const sk::runtime rt;
    require(o.device, rt);
    out.note("devices:     " + devices_text(rt));
    out.note(fmt::format(
        "seconds of a step, {} steps in a row, on about {} elements, which lie where the placement has left them; "
        "automatic: no plan; tuned: what `skelrt tune` found for all works; the others: a plan by hand; in turns; "
        "figures: of the applications, the median over that of the best plan by hand",
        timed_steps, o.n));
    rival_team helpers;
    compare(out, make_works(o, helpers), contenders(rt, tuned), o.repeat);
    return 0;
}

} // namespace

runner declare_tuning(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.one_of("--device", o->device, {"cpu", "cuda", "opencl"}, "besides the cores");
    line.positive("--n", o->n, "elements, about");
    line.positive("--repeat", o->repeat, "rounds");
    line.without_default("--only", o->only, "works whose names begin like this");
    line.without_default("--tool", o->tool, "the program skelrt, which tunes");
    line.flag("--untuned", o->untuned, "does not tune");
    line.positive("--steps", o->steps, "steps of all works, untimed, and nothing else: what is tuned");
    return [o](report& out) { return tuning(out, *o); };
}

} // namespace bench
