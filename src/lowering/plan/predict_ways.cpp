// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/predict_ways.hpp"

#include "src/lowering/decide/usable.hpp"
#include "src/lowering/plan/cost.hpp"

#include <algorithm>
#include <limits>

namespace skelrt::detail
{

namespace
{

constexpr double hopeless = 1e9; ///< microseconds: the kind cannot do the call
constexpr double least_us = 0.1; ///< of a chain, where what a call costs alone is taken off

/// By each of those that may have a call alone: the best of the devices or, if they can share the work, all `together`.
template <class Time>
std::vector<double> by_each_alone(const episodes& to, const std::vector<const target*>& targets, bool together, Time us)
{
    std::vector<double> all;
    for (const device_choice& choice : to.alone()) {
        double least = hopeless, rates = 0;
        for (unsigned d = 0; d < targets.size(); ++d) {
            if (!choice.has(*targets[d])) continue;
            const double takes = std::max(us(d), least_us);
            least = std::min(least, takes);
            rates += 1 / takes;
        }
        all.push_back(together && rates > 0 ? std::min(least, 1 / rates) : least);
    }
    return all;
}

} // namespace

void predict_ways(episodes& to, const std::vector<const target*>& targets, double planned_us,
                  std::span<const plan_device> devices, const plan_data& data, const plan_rules& rules,
                  double to_cores_us)
{
    const plan_cost cost(devices, data, rules);
    const auto alone = [&](unsigned d) { return cost.single(d); };
    to.predict(planned_us, by_each_alone(to, targets, true, alone), to_cores_us);
}

void predict_ways_again(episodes& to, const std::vector<const target*>& targets,
                        const std::vector<schedulers::worker_cost>& costs, unsigned device, std::size_t elements,
                        double to_cores_us)
{
    const auto us = [&](unsigned d) {
        return costs[d].fixed_us - targets[d]->way_us + costs[d].element_us * static_cast<double>(elements);
    };
    to.predict(us(device), by_each_alone(to, targets, false, us), to_cores_us);
}

double us_to_cores(const std::vector<const target*>& targets, const layout& data, std::uint64_t episode)
{
    const auto is_cores = [](const target* t) { return t->kind == device::cpu; };
    const auto cores = std::ranges::find_if(targets, is_cores);
    if (cores == targets.end()) return 0;
    double bytes = data.new_whole_bytes(**cores, episode), rate = std::numeric_limits<double>::infinity();
    for (const double segment : data.new_bytes({*cores}, episode)) bytes += segment;
    for (const target* t : targets)
        if (!is_cores(t)) rate = std::min(rate, rate_from(*t));
    return bytes / rate;
}

} // namespace skelrt::detail
