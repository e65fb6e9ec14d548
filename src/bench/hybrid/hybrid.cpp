// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/hybrid/hybrid_plot.hpp"
#include "src/bench/hybrid/hybrid_points.hpp"
#include "src/bench/hybrid/hybrid_works.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/rival_team.hpp"

#include <fmt/core.h>
#include <hwloc.h>
#include <skelrt/skelrt.hpp>
#include <starpu.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct hybrid_options {
    std::vector<std::string> works;
    std::vector<std::size_t> sizes{1'000, 30'000, 1'000'000, 4'000'000, 16'000'000, 64'000'000, 268'000'000};
    std::vector<int> steps{1, 100};
    std::size_t most_bytes = std::size_t{2} << 30;
    double budget = 0.3;            ///< seconds for the samples of one way to run one point
    int warm_up = 16, rounds = 601; ///< rounds: short works are noisy, and cost nothing
    int passes = 3;                 ///< over the points where automatic placement seems to lose
    bool splits = true, policies = true;
    std::size_t cache_bytes = 0; ///< of this machine
    std::string plot;            ///< a PNG; empty: none
    std::string samples;         ///< a CSV file of all samples; empty: none
};

constexpr double shares[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
constexpr double fine_step = 0.05;

/// How a point is run.
struct way {
    std::optional<sk::device_set> only;
    std::optional<double> gpu_share;
    int gpus = 1;  ///< that have the share together
    int first = 0; ///< of these
};

/// Of all processors, the level next to memory. While a runtime lives.
std::size_t largest_caches_bytes()
{
    hwloc_topology_t topology = starpu_get_hwloc_topology();
    for (const hwloc_obj_type_t level : {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE}) {
        std::size_t bytes = 0;
        for (hwloc_obj_t c = nullptr; (c = hwloc_get_next_obj_by_type(topology, level, c));)
            bytes += c->attr->cache.size;
        if (bytes > 0) return bytes;
    }
    return 0;
}

class placed
{
public:
    explicit placed(const way& w)
    {
        if (w.only) only_.emplace(*w.only);
        if (!w.gpu_share) return;
        std::vector<sk::plan_share> shares;
        for (int g = 0; g < w.gpus; ++g) shares.push_back({sk::device::cuda, *w.gpu_share / w.gpus, w.first + g});
        if (*w.gpu_share < 1) shares.push_back({sk::device::cpu, 1 - *w.gpu_share});
        plan_.emplace(shares);
        follow_.emplace(*plan_);
    }

private:
    std::optional<sk::only> only_;
    std::optional<sk::plan> plan_;
    std::optional<sk::follow> follow_;
};

/// Times of one work of one size.
class sampler
{
public:
    sampler(const hybrid_options& o, const hybrid_kind& kind, std::size_t elements, rival_team& helpers)
        : o_(o), in_caches_(elements * kind.bytes_per_element <= o.cache_bytes), work_(kind.make(elements, helpers))
    {
    }

    /// Samples of ways that take turns; every other round goes backwards, so that nobody always comes after the same
    /// one. Where the caches hold the data, a way begins as it leaves them, not as another one did: copies of what
    /// cores have just written take a GPU twice as long, and a program goes one way. Ways that take long get fewer
    /// samples.
    std::vector<samples> race(const std::vector<way>& ways, bool from_host, int steps)
    {
        constexpr double patience = 5; // budgets for the warm-up
        const bool told = std::ranges::all_of(ways, [](const way& w) { return w.only || w.gpu_share; });
        const int warm_up = told ? 1 : o_.warm_up; // who places by himself has something to learn
        std::vector<samples> taken(ways.size());
        std::vector<double> warming(ways.size()), spent(ways.size());
        for (int round = 0; round < warm_up + o_.rounds; ++round)
            for (std::size_t i = 0; i < ways.size(); ++i) {
                const std::size_t k = round % 2 == 0 ? i : ways.size() - 1 - i;
                if (round < warm_up) {
                    if (warming[k] < patience * o_.budget) warming[k] += once(ways[k], from_host, steps);
                } else if (spent[k] < o_.budget || needs_more(taken, k)) {
                    if (from_host && steps == 1 && in_caches_) spent[k] += once(ways[k], from_host, steps);
                    taken[k].push_back({round, once(ways[k], from_host, steps)});
                    spent[k] += taken[k].back().seconds;
                }
            }
        return taken;
    }
    /// The median, in seconds.
    double time(const way& w, bool from_host, int steps) { return median_of(race({w}, from_host, steps)[0]); }

    double once(const way& w, bool from_host, int steps)
    {
        if (from_host) work_->go_home();
        else go_to_gpu();
        const double start = now();
        {
            const placed p(w);
            for (int i = 0; i < steps; ++i) work_->step();
            if (from_host) work_->read();
            else work_->wait();
        }
        return now() - start;
    }

private:
    /// Of a way that takes long: nine samples, for who places by himself tries something else now and then, and the
    /// median must not; two, where another way takes much less and nobody compares with this one.
    static bool needs_more(const std::vector<samples>& taken, std::size_t way)
    {
        constexpr std::size_t some = 9, few = 2;
        constexpr double much = 3;
        const std::size_t count = taken[way].size();
        if (count < few || count >= some) return count < few;
        const double mine = median_of(taken[way]);
        return std::ranges::none_of(
            taken, [&](const samples& other) { return !other.empty() && mine > much * median_of(other); });
    }

    void go_to_gpu()
    {
        const sk::only gpu(sk::device::cuda);
        work_->step();
        work_->wait();
    }

    const hybrid_options& o_;
    const bool in_caches_;
    std::unique_ptr<hybrid_work> work_;
};

/// The best share, in tenths first, then around the best of these. Shares that leave one device alone with more than
/// the better one does in `hopeless` of its time are not tried.
std::map<double, double> search_split(sampler& s, const hybrid_point& p, int gpus)
{
    constexpr double hopeless = 1.3;
    const double cpu = p.single_time("cpu"), gpu = p.single_time("cuda"), most = hopeless * std::min(cpu, gpu);
    std::map<double, double> times;
    const auto try_share = [&](double share) {
        if (std::max((1 - share) * cpu, share * gpu) <= most)
            times[share] = s.time({{}, share, gpus}, p.from_host, p.steps);
    };
    for (double share : shares) try_share(share);
    if (times.empty()) return times;
    const double best = std::min_element(times.begin(), times.end(), [](const auto& a, const auto& b) {
                            return a.second < b.second;
                        })->first;
    try_share(best - fine_step);
    try_share(best + fine_step);
    return times;
}

/// The best splits once more, in turns with automatic placement: a way that runs by itself finds in the caches what it
/// left there.
void race_splits(hybrid_point& p, sampler& s, int gpus)
{
    constexpr std::size_t finalists = 3;
    std::vector<std::pair<double, double>> best; // time, share
    for (const auto& [share, seconds] : p.splits) best.emplace_back(seconds, share);
    std::ranges::sort(best);
    best.resize(std::min(best.size(), finalists));
    if (best.empty()) return;
    std::vector<way> ways{{}};
    for (const auto& [seconds, share] : best) ways.push_back({{}, share, gpus});
    const std::vector<samples> taken = s.race(ways, p.from_host, p.steps);
    p.beside_finalists = taken[0];
    for (std::size_t i = 0; i < best.size(); ++i) p.finalists[best[i].second] = taken[i + 1];
}

bool wanted(const hybrid_options& o, const hybrid_kind& k)
{
    return o.works.empty() || std::ranges::find(o.works, k.name) != o.works.end();
}

/// Points without their times, and those that nobody measures.
struct point_lists {
    std::vector<hybrid_point> points, too_large, too_slow;
};

constexpr double patience = 20; ///< seconds of one core, by what its kind is said to cost

void add_points(point_lists& all, const hybrid_options& o, const hybrid_kind& k, bool gpu)
{
    for (std::size_t elements : o.sizes) {
        const std::size_t bytes = elements * k.bytes_per_element;
        for (int steps : o.steps)
            for (bool from_host : {true, false}) {
                if (!gpu && !from_host) continue;
                hybrid_point p;
                p.work = k.name;
                p.elements = elements;
                p.bytes = bytes;
                p.steps = steps;
                p.from_host = from_host;
                p.bound_by_transfers = k.bound_by_transfers;
                const double seconds = k.seconds_per_element * static_cast<double>(elements) * steps;
                if (bytes > o.most_bytes) all.too_large.push_back(p);
                else if (seconds > patience) all.too_slow.push_back(p);
                else all.points.push_back(p);
            }
    }
}

void note_left_out(report& out, const std::vector<hybrid_point>& points, const std::string& why)
{
    if (points.empty()) return;
    std::string names;
    for (const hybrid_point& p : points) names += (names.empty() ? "" : "; ") + p.name();
    out.note(fmt::format("{} points left out, {}: {}", points.size(), why, names));
}

/// One more pass: automatic placement in turns with single devices. Samples of earlier passes count, too.
void race_singles(hybrid_point& p, sampler& s, int gpus)
{
    std::vector<way> ways{{}, {sk::device::cpu, {}}};
    std::vector<samples*> all{&p.automatic, &p.single["cpu"]};
    if (gpus > 0) ways.push_back({sk::device::cuda, {}}), all.push_back(&p.single["cuda"]);
    for (int g = 0; gpus > 1 && g < gpus; ++g) ways.push_back({{}, 1.0, 1, g}), all.push_back(&p.each_gpu[g]);
    const std::vector<samples> taken = s.race(ways, p.from_host, p.steps);
    int first = 0; // round of this pass
    for (const samples* a : all)
        if (!a->empty()) first = std::max(first, a->back().round + 1);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const sample& t : taken[i]) all[i]->push_back({first + t.round, t.seconds});
}

void measure(hybrid_point& p, sampler& s, const hybrid_options& o, int gpus)
{
    race_singles(p, s, gpus);
    p.searched = o.splits && gpus > 0;
    if (!p.searched) return;
    p.splits = search_split(s, p, gpus);
    race_splits(p, s, gpus);
}

void show(const hybrid_point& p)
{
    fmt::print("{:<34} {:>12} {:>12} {:>12} {:>12} {:>8.3f}\n", p.name(), show_time(p.time()),
               show_time(p.single_time("cpu")), p.single.contains("cuda") ? show_time(p.single_time("cuda")) : "-",
               !p.searched ? "-" : show_time(p.best_split()), p.of_best_single());
    std::fflush(stdout);
}

/// Calls `what` for each of these points; those of one work and size follow each other, on the same containers.
template <class What>
void for_each_point(const std::vector<hybrid_point*>& points, const hybrid_options& o, rival_team& helpers, What what)
{
    std::optional<sampler> s;
    const hybrid_point* last = nullptr;
    for (hybrid_point* p : points) {
        if (!last || last->work != p->work || last->elements != p->elements) {
            s.reset();
            const auto kind = std::ranges::find(hybrid_kinds(), p->work, &hybrid_kind::name);
            s.emplace(o, *kind, p->elements, helpers);
        }
        last = p;
        what(*p, *s);
        show(*p);
    }
}

void write_samples(const std::vector<hybrid_point>& points, const std::string& file)
{
    std::ofstream out(file);
    out << "point,way,round,us\n";
    const auto write = [&](const hybrid_point& p, const std::string& way, const samples& all) {
        for (const sample& s : all)
            out << fmt::format("\"{}\",{},{},{:.2f}\n", p.name(), way, s.round, 1e6 * s.seconds);
    };
    for (const hybrid_point& p : points) {
        write(p, "automatic", p.automatic);
        for (const auto& [device, all] : p.single) write(p, device, all);
        for (const auto& [gpu, all] : p.each_gpu) write(p, fmt::format("cuda {}", gpu), all);
    }
    if (!out) throw std::runtime_error(fmt::format("cannot write {}", file));
}

/// Points are hundreds, and the machine's noise lasts longer than the samples of some: the worst of all would be noise.
/// Where automatic placement seems to lose, more is measured; what was measured before counts, too.
void measure_all(std::vector<hybrid_point>& points, const hybrid_options& o, int gpus)
{
    constexpr double doubtful = 1.03;
    rival_team helpers;
    fmt::print("\n{:<34} {:>12} {:>12} {:>12} {:>12} {:>8}\n", "", "automatic", "CPU only", "GPU only", "best split",
               "of best");
    std::vector<hybrid_point*> all;
    for (hybrid_point& p : points) all.push_back(&p);
    for_each_point(all, o, helpers, [&](hybrid_point& p, sampler& s) { measure(p, s, o, gpus); });
    if (!o.samples.empty()) write_samples(points, o.samples); // they are there even if somebody stops what follows
    for (int pass = 1; pass < o.passes; ++pass) {
        std::erase_if(all, [](const hybrid_point* p) { return p->of_best_single() <= doubtful; });
        if (all.empty()) return;
        fmt::print("\n{} points that seem to take more than {} of the best, once more: medians of all samples\n",
                   all.size(), doubtful);
        for_each_point(all, o, helpers, [&](hybrid_point& p, sampler& s) { race_singles(p, s, gpus); });
        if (!o.samples.empty()) write_samples(points, o.samples);
    }
}

/// One of StarPU's policies, one task per tile, in a runtime of its own.
void measure_policy(std::vector<hybrid_point>& points, const hybrid_options& o, const std::string& policy)
{
    sk::options wanted;
    wanted.policy = policy;
    wanted.opencl_devices = 0;
    const sk::runtime rt(wanted);
    rival_team helpers;
    for (const hybrid_kind& k : hybrid_kinds())
        for (hybrid_point& p : points)
            if (p.work == k.name)
                p.policies[policy] = sampler(o, k, p.elements, helpers).time({}, p.from_host, p.steps);
}

summary summary_of(const samples& all) { return summarize(seconds_of(all)); }

summary alone(double seconds) { return {seconds, seconds, 0, 1}; }

void add_rows(report& out, const hybrid_point& p)
{
    out.row(p.name(), "automatic", summary_of(p.automatic));
    for (const auto& [device, all] : p.single) out.row(p.name(), device + " only", summary_of(all));
    for (const auto& [gpu, all] : p.each_gpu) out.row(p.name(), fmt::format("cuda {} only", gpu), summary_of(all));
    for (const auto& [share, seconds] : p.splits)
        out.row(p.name(), fmt::format("{:.0f} % on the GPU", 100 * share), alone(seconds));
    if (!p.finalists.empty()) out.row(p.name(), "automatic, in turns with", summary_of(p.beside_finalists));
    for (const auto& [share, all] : p.finalists)
        out.row(p.name(), fmt::format("{:.0f} % on the GPU, in turns", 100 * share), summary_of(all));
    for (const auto& [policy, seconds] : p.policies) out.row(p.name(), policy, alone(seconds));
}

void report_ratios(report& out, const std::vector<hybrid_point>& points, std::size_t cache)
{
    const hybrid_ratios r = ratios_of(points, cache);
    out.note(
        fmt::format("single steps bound by transfers, data in the host's memory: the median of what is larger than "
                    "its caches ({} MiB) is {:.3f}, of the rest {:.3f}",
                    cache >> 20, r.median_transfer_bound, r.median_cached));
    out.note(fmt::format("median of all points: {:.3f} of the best single device's time", r.median_vs_best_single));
    const auto over = std::ranges::count_if(points, [](const hybrid_point& p) { return p.of_best_single() > 1.05; });
    out.note(fmt::format("{} of {} points take more than 1.05 of the best single device's time", over, points.size()));
    if (r.efficiency_of_shares > 0)
        out.note(fmt::format("co-execution efficiency {:.3f} if a share takes as long as work of its size alone, which "
                             "the figure below does not know: no share makes the start of a call shorter",
                             r.efficiency_of_shares));
    out.figure("hybrid_worst_vs_best_single", r.worst_vs_best_single);
    out.figure("hybrid_median_transfer_bound", r.median_transfer_bound);
    if (r.worst_vs_best_split > 0) {
        out.figure("hybrid_vs_best_split", r.worst_vs_best_split);
        out.figure("hybrid_vs_best_split_mean", r.mean_vs_best_split);
    }
    if (r.vs_dmdas > 0) {
        out.figure("hybrid_vs_dmdas", r.vs_dmdas);
        out.figure("hybrid_vs_dmdas_host", r.vs_dmdas_host);
    }
    out.figure("coexecution_efficiency", r.efficiency);
}

int hybrid(report& out, hybrid_options o)
{
    point_lists all;
    std::vector<hybrid_point>& points = all.points;
    int gpus = 0;
    {
        const auto rt = start_runtime("hybrid");
        o.cache_bytes = largest_caches_bytes();
        gpus = count_cuda(*rt);
        out.note("devices:     " + devices_text(*rt));
        if (gpus == 0) out.warn("no CUDA device in use: the only single device is the CPU");
        for (const hybrid_kind& k : hybrid_kinds())
            if (wanted(o, k)) add_points(all, o, k, gpus > 0);
        note_left_out(out, all.too_large, fmt::format("more than {} MiB", o.most_bytes >> 20));
        note_left_out(out, all.too_slow, fmt::format("more than {} s of one core, by a guess", patience));
        measure_all(points, o, gpus);
    }
    if (o.policies)
        for (const char* policy : {"dmda", "dmdas"}) measure_policy(points, o, policy);
    out.heading("all times");
    for (const hybrid_point& p : points) add_rows(out, p);
    report_ratios(out, points, o.cache_bytes);
    if (!o.plot.empty()) draw_points(points, o.plot);
    return 0;
}

/// The very first call of a work, before anything is known of it, in turns with each single device.
hybrid_point first_calls_of(const hybrid_options& o, const hybrid_kind& k, bool gpu, rival_team& helpers)
{
    constexpr int rounds = 9;
    hybrid_point p;
    p.work = k.name;
    p.elements = k.name == "matmul" ? 1'000'000 : 16'000'000;
    sampler s(o, k, p.elements, helpers);
    std::vector<std::pair<std::string, way>> alone{{"cpu", {sk::device::cpu, {}}}};
    if (gpu) alone.push_back({"cuda", {sk::device::cuda, {}}});
    // Kernels are built, threads and memory are there: what is new is the choice.
    s.time({}, true, 1);
    for (const auto& [device, only] : alone) s.time(only, true, 1);
    for (int round = 0; round < rounds; ++round) {
        sk::forget_models();
        p.automatic.push_back({round, s.once({}, true, 1)});
        for (const auto& [device, only] : alone) p.single[device].push_back({round, s.once(only, true, 1)});
        std::ranges::reverse(alone);
    }
    return p;
}

int first_calls(report& out, const hybrid_options& o)
{
    const auto rt = start_runtime("hybrid");
    out.note("devices:     " + devices_text(*rt));
    rival_team helpers;
    double worst = 0;
    out.heading(
        "the first call, data in the host's memory; everything forgotten, nine times in turns with single devices");
    for (const hybrid_kind& k : hybrid_kinds()) {
        if (!wanted(o, k)) continue;
        const hybrid_point p = first_calls_of(o, k, has_cuda(*rt), helpers);
        add_rows(out, p);
        out.note(fmt::format("{}: {:.3f} of the best single device's time", p.name(), p.of_best_single()));
        worst = std::max(worst, p.of_best_single());
    }
    out.figure("first_call_vs_best_single", worst);
    return 0;
}

} // namespace

namespace
{

void declare_works(apps::option_list& line, hybrid_options& o)
{
    std::vector<std::string> names;
    for (const hybrid_kind& k : hybrid_kinds()) names.emplace_back(k.name);
    line.one_of("--work", o.works, names, "which works; all if none is named");
}

} // namespace

runner declare_first_calls(apps::option_list& line)
{
    auto o = std::make_shared<hybrid_options>();
    declare_works(line, *o);
    return [o](report& out) { return first_calls(out, *o); };
}

runner declare_hybrid(apps::option_list& line)
{
    auto o = std::make_shared<hybrid_options>();
    declare_works(line, *o);
    line.positive("--sizes", o->sizes, "elements");
    line.positive("--steps", o->steps, "steps in a row on the same data");
    line.bytes("--most-bytes", o->most_bytes, "larger works are left out");
    line.option("--budget", o->budget, "seconds for one way to run one point");
    line.positive("--rounds", o->rounds, "samples at most of one way to run one point");
    line.positive("--passes", o->passes, "over the points where automatic placement seems to lose");
    line.without_default("--samples", o->samples,
                         "a CSV file of all samples of automatic placement and single devices");
    line.without_default("--plot", o->plot, "a picture (PNG) of all ratios");
    line.flag("--splits,!--no-splits", o->splits, "search for the best fixed split");
    line.flag("--policies,!--no-policies", o->policies, "also run under StarPU's dmda and dmdas");
    return [o](report& out) { return hybrid(out, *o); };
}

} // namespace bench
