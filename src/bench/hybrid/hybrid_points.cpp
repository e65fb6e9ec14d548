// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/hybrid/hybrid_points.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace bench
{
namespace
{

template <class Map>
double least(const Map& times)
{
    double best = 1e300;
    for (const auto& [key, all] : times) best = std::min(best, median_of(all));
    return best;
}

double mean(const std::vector<double>& x)
{
    return x.empty() ? 0 : std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double median(std::vector<double> x)
{
    if (x.empty()) return 0;
    std::sort(x.begin(), x.end());
    return (x[(x.size() - 1) / 2] + x[x.size() / 2]) / 2;
}

/// Seconds by elements, of one kind of device: between sizes linear, below the smallest constant.
using size_curve = std::map<double, double>;

double seconds_at(const size_curve& c, double elements)
{
    const auto above = c.lower_bound(elements);
    if (above == c.end()) return std::prev(above)->second * elements / std::prev(above)->first;
    if (above == c.begin()) return above->second;
    const auto below = std::prev(above);
    const double part = (elements - below->first) / (above->first - below->first);
    return below->second + part * (above->second - below->second);
}

/// The best that the cores and the GPUs can do together, if a share takes as long as work of that size.
double seconds_shared(const size_curve& cpu, const size_curve& gpu, double elements)
{
    constexpr int steps = 100;
    double best = std::min(seconds_at(cpu, elements), seconds_at(gpu, elements));
    for (int k = 1; k < steps; ++k) {
        const double on_gpu = elements * k / steps;
        best = std::min(best, std::max(seconds_at(cpu, elements - on_gpu), seconds_at(gpu, on_gpu)));
    }
    return best;
}

double efficiency_of_shares(const std::vector<hybrid_point>& points)
{
    constexpr std::size_t enough = 3;
    std::map<std::pair<std::string, int>, std::map<std::string, size_curve>> curves;
    for (const hybrid_point& p : points)
        if (p.from_host)
            for (const auto& [device, all] : p.single)
                curves[{p.work, p.steps}][device][static_cast<double>(p.elements)] = median_of(all);
    std::vector<double> all;
    for (const hybrid_point& p : points) {
        if (!p.from_host || !p.single.contains("cuda")) continue;
        auto& of = curves[{p.work, p.steps}];
        if (of["cpu"].size() < enough) continue;
        all.push_back(seconds_shared(of["cpu"], of["cuda"], static_cast<double>(p.elements)) / p.time());
    }
    return mean(all);
}

} // namespace

std::vector<double> seconds_of(const samples& all)
{
    std::vector<double> seconds;
    for (const sample& s : all) seconds.push_back(s.seconds);
    return seconds;
}

double median_of(const samples& all) { return median(seconds_of(all)); }

double time_over(const samples& a, const samples& b)
{
    std::vector<double> ratios;
    auto other = b.begin(); // rounds ascend
    for (const sample& s : a) {
        while (other != b.end() && other->round < s.round) ++other;
        if (other != b.end() && other->round == s.round) ratios.push_back(s.seconds / other->seconds);
    }
    return median(std::move(ratios));
}

std::string hybrid_point::name() const
{
    return fmt::format("{} {}{}{}", work, elements, from_host ? "" : ", on the GPU",
                       steps > 1 ? fmt::format(" x {}", steps) : "");
}

double hybrid_point::best_single() const { return std::min(least(single), least(each_gpu)); }

double hybrid_point::best_split() const { return std::min(best_single(), least(finalists)); }

double hybrid_point::of_best_single() const
{
    double most = 0;
    for (const auto& [device, all] : single) most = std::max(most, time_over(automatic, all));
    for (const auto& [gpu, all] : each_gpu) most = std::max(most, time_over(automatic, all));
    return most;
}

double hybrid_point::best_split_over_automatic() const
{
    double most = of_best_single();
    for (const auto& [share, all] : finalists) most = std::max(most, time_over(beside_finalists, all));
    return 1 / most;
}

double hybrid_point::efficiency() const
{
    double rates = 0; // over automatic placement's
    for (const auto& [device, all] : single) rates += time_over(automatic, all);
    return 1 / rates;
}

hybrid_ratios ratios_of(const std::vector<hybrid_point>& points, std::size_t cache_bytes)
{
    hybrid_ratios r;
    std::vector<double> single, bound, cached, split, dmdas, dmdas_host, efficiencies;
    for (const hybrid_point& p : points) {
        single.push_back(p.of_best_single());
        if (p.from_host && p.bound_by_transfers && p.steps == 1)
            (p.bytes > cache_bytes ? bound : cached).push_back(p.of_best_single());
        if (p.searched) split.push_back(p.best_split_over_automatic());
        if (p.from_host) efficiencies.push_back(p.efficiency());
        if (const auto d = p.policies.find("dmdas"); d != p.policies.end()) {
            dmdas.push_back(d->second / p.time());
            if (p.from_host) dmdas_host.push_back(d->second / p.time());
        }
    }
    r.worst_vs_best_single = single.empty() ? 0 : *std::max_element(single.begin(), single.end());
    r.median_vs_best_single = median(single);
    r.median_transfer_bound = median(bound);
    r.median_cached = median(cached);
    r.worst_vs_best_split = split.empty() ? 0 : *std::min_element(split.begin(), split.end());
    r.mean_vs_best_split = mean(split);
    r.vs_dmdas = geometric_mean(dmdas);
    r.vs_dmdas_host = geometric_mean(dmdas_host);
    r.efficiency = mean(efficiencies);
    r.efficiency_of_shares = efficiency_of_shares(points);
    return r;
}

} // namespace bench
