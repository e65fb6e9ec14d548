#include "src/lowering/predict_ways.hpp"

#include "src/lowering/plan_cost.hpp"

#include <algorithm>
#include <limits>

namespace skelrt::detail
{

namespace
{

constexpr double hopeless = 1e9; ///< microseconds: the kind cannot do the call

/// By each of those that may have a call alone: the best of the devices, who share the work if they can do so `together`.
template <class Time>
std::vector<double> by_each_alone(const episodes& to, const std::vector<const target*>& targets, bool together, Time us)
{
    std::vector<double> all;
    for (const device_choice& choice : to.alone()) {
        double least = hopeless;
        std::size_t devices = 0;
        for (unsigned d = 0; d < targets.size(); ++d)
            if (choice.has(*targets[d])) least = std::min(least, us(d)), ++devices;
        all.push_back(together && devices > 1 ? least / static_cast<double>(devices) : least);
    }
    return all;
}

} // namespace

void predict_ways(episodes& to, const std::vector<const target*>& targets, std::span<const plan_device> devices,
                  const plan_data& data, const plan_rules& rules, std::span<const plan_group> made)
{
    if (!to.wants_predictions()) return;
    const plan_cost cost(devices, data, rules);
    const auto alone = [&](unsigned d) { return cost.single(d); };
    const unsigned first = made[0].device;
    const bool shared = std::ranges::any_of(made, [&](const plan_group& g) { return g.device != first; });
    to.predict(shared ? rules.turned_out * plan_us(devices, data, rules, made) : alone(first),
               by_each_alone(to, targets, true, alone));
}

void predict_ways_again(episodes& to, const std::vector<const target*>& targets,
                        const std::vector<schedulers::worker_cost>& costs, unsigned device, std::size_t elements)
{
    if (!to.wants_predictions()) return;
    const auto us = [&](unsigned d) {
        return costs[d].fixed_us - way_us(targets[d]->kind) + costs[d].element_us * static_cast<double>(elements);
    };
    to.predict(us(device), by_each_alone(to, targets, false, us));
}

} // namespace skelrt::detail
