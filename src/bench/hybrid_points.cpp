#include "hybrid_points.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench
{
namespace
{

template <class Map>
double least(const Map& times)
{
    double best = 1e300;
    for (const auto& [key, seconds] : times) best = std::min(best, seconds);
    return best;
}

double mean(const std::vector<double>& x)
{
    return x.empty() ? 0 : std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double geometric_mean(std::vector<double> x)
{
    for (double& v : x) v = std::log(v);
    return x.empty() ? 0 : std::exp(mean(x));
}

double median(std::vector<double> x)
{
    if (x.empty()) return 0;
    std::sort(x.begin(), x.end());
    return (x[(x.size() - 1) / 2] + x[x.size() / 2]) / 2;
}

} // namespace

std::string hybrid_point::name() const
{
    return fmt::format("{} {}{}{}", work, elements, from_host ? "" : ", on the GPU",
                       steps > 1 ? fmt::format(" x {}", steps) : "");
}

double hybrid_point::best_single() const { return one_gpu > 0 ? std::min(least(single), one_gpu) : least(single); }

double hybrid_point::best_split() const { return std::min(best_single(), least(finalists)); }

double hybrid_point::best_split_over_automatic() const
{
    const double single_device = best_single() / automatic;
    return finalists.empty() ? single_device : std::min(single_device, least(finalists) / beside_finalists);
}

double hybrid_point::efficiency() const
{
    double rates = 0;
    for (const auto& [device, seconds] : single) rates += 1 / seconds;
    return 1 / rates / automatic;
}

hybrid_ratios ratios_of(const std::vector<hybrid_point>& points, std::size_t cache_bytes)
{
    hybrid_ratios r;
    std::vector<double> bound, cached, split, dmdas, dmdas_host, efficiencies;
    for (const hybrid_point& p : points) {
        r.worst_vs_best_single = std::max(r.worst_vs_best_single, p.of_best_single());
        if (p.from_host && p.bound_by_transfers && p.steps == 1)
            (p.bytes > cache_bytes ? bound : cached).push_back(p.of_best_single());
        if (p.searched) split.push_back(p.best_split_over_automatic());
        if (p.from_host) efficiencies.push_back(p.efficiency());
        if (const auto d = p.policies.find("dmdas"); d != p.policies.end()) {
            dmdas.push_back(d->second / p.automatic);
            if (p.from_host) dmdas_host.push_back(d->second / p.automatic);
        }
    }
    r.median_transfer_bound = median(bound);
    r.median_cached = median(cached);
    r.worst_vs_best_split = split.empty() ? 0 : *std::min_element(split.begin(), split.end());
    r.mean_vs_best_split = mean(split);
    r.vs_dmdas = geometric_mean(dmdas);
    r.vs_dmdas_host = geometric_mean(dmdas_host);
    r.efficiency = mean(efficiencies);
    return r;
}

} // namespace bench
