// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/processes.hpp"
#include "src/bench/shared/timing.hpp"
#include "src/bench/tuning/fixed_choices.hpp"
#include "src/bench/tuning/tuned_plan.hpp"
#include "src/bench/tuning/works.hpp"

#include <fmt/format.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/// What work-groups and blocks, devices and splits are worth: automatic, tuned and every fixed choice.
namespace bench
{
namespace
{

namespace sk = skelrt;
namespace fs = std::filesystem;

struct options {
    std::string device = "cpu", tool;
    std::vector<std::string> works; ///< empty: all
    std::size_t n = 0;
    int repeat = 7, steps = 0; ///< steps: so many are made, untimed, and nothing else: for `skelrt tune`
    double budget_s = 30;
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

std::vector<tuning_kind> chosen_kinds(const options& o)
{
    std::vector<tuning_kind> all;
    for (const tuning_kind& k : tuning_kinds())
        if (o.works.empty() || std::ranges::find(o.works, k.name) != o.works.end()) all.push_back(k);
    return all;
}

constexpr int steps_in_a_row = 3;

/// As they are sampled, or `skelrt tune` is to see them: some in a row, then a wait.
void make_steps(hybrid_work& work, int steps)
{
    for (int i = 1; i <= steps; ++i) {
        work.step();
        if (i % steps_in_a_row == 0 || i == steps) work.wait();
    }
}

int only_steps(const options& o)
{
    const sk::runtime rt;
    rival_team helpers;
    for (const tuning_kind& k : chosen_kinds(o)) make_steps(*k.make(o.n, helpers), o.steps);
    return 0;
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

/// Seconds of a step, on data that lies where the same placement has left it.
double sample(hybrid_work& work, const contender& who)
{
    std::optional<sk::follow> scope;
    if (who.what) scope.emplace(*who.what);
    make_steps(work, 1);
    const double start = now();
    make_steps(work, steps_in_a_row);
    return (now() - start) / steps_in_a_row;
}

/// Steps whose run takes a hundredth of the budget: processes take their time to start, too.
int steps_to_tune(const tuning_kind& kind, const options& o)
{
    const sk::runtime rt;
    rival_team helpers;
    const auto work = kind.make(o.n, helpers);
    constexpr double runs = 100, most = 1e5;
    double least = sample(*work, {"automatic", sk::plan()});
    for (int i = 0; i < 4; ++i) least = std::min(least, sample(*work, {"automatic", sk::plan()}));
    return static_cast<int>(std::clamp(o.budget_s / runs / least, 1.0, most));
}

/// Lets `skelrt tune` find a plan for the work, which the next runtime takes. False: nobody is here to do so.
bool tune(report& out, const options& o, const tuning_kind& kind, const fs::path& plan)
{
    unsetenv("SKELRT_PLAN");
    const fs::path tool = o.tool.empty() ? find_tool() : fs::path(o.tool);
    if (o.untuned || tool.empty()) {
        if (!o.untuned) out.warn("tuned: left out, since there is no program skelrt beside this one (see --tool)");
        return false;
    }
    const std::string work(kind.name);
    const std::string said = find_plan({tool, plan, o.device, work, o.n, steps_to_tune(kind, o), o.budget_s});
    out.note(fmt::format("{}: skelrt tune: {}", work, said));
    setenv("SKELRT_PLAN", plan.c_str(), 1);
    return true;
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

outcome measure(report& out, const std::string& name, hybrid_work& work, const std::vector<contender>& all, int rounds)
{
    std::vector<contestant> able;
    std::vector<const contender*> who;
    out.heading(name);
    for (const contender& c : all) {
        const std::string why = obstacle(work, c);
        if (why.empty()) able.push_back({c.name, [&] { return sample(work, c); }}), who.push_back(&c);
        else out.note(fmt::format("{:<26} {:<22} not possible: {}", name, c.name, why));
    }
    const auto times = alternate(able, 2, rounds);
    outcome o;
    for (std::size_t i = 0; i < able.size(); ++i) {
        out.row(name, able[i].name, times[i]);
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

/// A runtime for each work: it takes the plan when it starts.
outcome tune_and_measure(report& out, const options& o, const tuning_kind& kind, const fs::path& plan)
{
    const bool tuned = tune(out, o, kind, plan);
    const sk::runtime rt;
    rival_team helpers;
    return measure(out, std::string(kind.name), *kind.make(o.n, helpers), contenders(rt, tuned), o.repeat);
}

void compare(report& out, const options& o, const fs::path& plan)
{
    std::vector<double> automatic, tuned, blocks;
    for (const tuning_kind& kind : chosen_kinds(o)) {
        const outcome of = tune_and_measure(out, o, kind, plan);
        if (of.usual_blocks > 0) blocks.push_back(of.usual_blocks / of.best_blocks);
        if (!kind.application || of.best_fixed == 0) continue;
        automatic.push_back(of.automatic / of.best_fixed);
        if (of.tuned > 0) tuned.push_back(of.tuned / of.best_fixed);
    }
    tell(out, "auto_vs_best_fixed", automatic);
    tell(out, "usual_vs_best_block", blocks);
    tell(out, "tuned_vs_best_fixed", tuned);
}

void introduce(report& out, const options& o)
{
    const sk::runtime rt;
    require(o.device, rt);
    out.note("devices:     " + devices_text(rt));
    out.note(fmt::format(
        "seconds of a step, {} steps in a row, on about {} elements, which lie where the placement has left them; "
        "automatic: no plan; tuned: what `skelrt tune` kept for the work in {:.0f} s; the others: a plan by hand; in "
        "turns; figures: of the applications, the median over that of the best plan by hand",
        steps_in_a_row, o.n, o.budget_s));
}

int tuning(report& out, options o)
{
    choose_devices(o.device);
    if (o.n == 0) o.n = o.device == "cuda" ? std::size_t{4} << 20 : std::size_t{1} << 18;
    if (o.steps > 0) return only_steps(o);
    const temporary_folder scratch;
    introduce(out, o);
    compare(out, o, scratch.path() / "plan.json");
    return 0;
}

} // namespace

runner declare_tuning(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    std::vector<std::string> names;
    for (const tuning_kind& k : tuning_kinds()) names.emplace_back(k.name);
    line.one_of("--device", o->device, {"cpu", "cuda", "opencl"}, "besides the cores");
    line.positive("--n", o->n, "elements, about");
    line.positive("--repeat", o->repeat, "rounds");
    line.one_of("--work", o->works, names, "which works; all if none is named");
    line.positive("--budget", o->budget_s, "seconds for tuning each work");
    line.without_default("--tool", o->tool, "the program skelrt, which tunes");
    line.flag("--untuned", o->untuned, "does not tune");
    line.positive("--steps", o->steps, "steps, untimed, and nothing else: what is tuned");
    return [o](report& out) { return tuning(out, *o); };
}

} // namespace bench
