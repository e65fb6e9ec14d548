// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/predict_ways.hpp"

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
                  std::span<const plan_device> devices, const plan_data& data, const plan_rules& rules)
{
    const plan_cost cost(devices, data, rules);
    const auto alone = [&](unsigned d) { return cost.single(d); };
    to.predict(planned_us, by_each_alone(to, targets, true, alone));
}

void predict_ways_again(episodes& to, const std::vector<const target*>& targets,
                        const std::vector<schedulers::worker_cost>& costs, unsigned device, std::size_t elements)
{
    if (!to.wants_predictions()) return;
    const auto us = [&](unsigned d) {
        return costs[d].fixed_us - targets[d]->way_us + costs[d].element_us * static_cast<double>(elements);
    };
    to.predict(us(device), by_each_alone(to, targets, false, us));
}

} // namespace skelrt::detail
