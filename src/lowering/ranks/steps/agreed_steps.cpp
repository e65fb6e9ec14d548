// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/steps/agreed_steps.hpp"

#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/lowering/decide/steps.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/lowering/ranks/steps/dealt_grid.hpp"
#include "src/lowering/ranks/steps/deep_halos.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/machine/network.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// A line costs what moving it costs, or what the function is known to take.
halo_costs costs_of(const engine& e, const call& c, unsigned reach)
{
    const auto here = e.learnt.models.machine();
    const device_peaks* const cpu = here->any("cpu");
    const auto width = static_cast<double>(c.matrix ? c.cols : 1);
    const double rate = cpu ? cpu->memory.value : 0, core_ns = c.site->core.near(evaluations(c)); // negative: unknown
    const double moved_us = rate > 0 ? static_cast<double>(c.site->what.bytes_per_element) / rate : 0;
    const double computed_us = core_ns / 1e3 / e.devices().cores();
    return {message_us(here->network, 0), width * std::max(moved_us, computed_us), reach};
}

std::uint64_t key_of(const call& c)
{
    std::uint64_t key = c.site->what.key;
    for (const std::size_t n : {c.rows, c.cols, c.width.line}) key = hash_combine(key, n);
    return key;
}

} // namespace

unsigned agreed_steps::of(engine& e, const call& c)
{
    const unsigned reach = reach_of(c);
    if (reach == 0 || c.rows * c.cols == 0) return steps_per_pass(c); // no messages
    const std::uint64_t key = key_of(c);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    peers& others = *e.cluster;
    others.refuse_other_threads(c.site->what.name.c_str(), c.site->what.first_at);
    const std::size_t shortest = shortest_part(c, static_cast<unsigned>(others.size()));
    const unsigned wished = steps_per_pass(c, depth_for(costs_of(e, c, reach), shortest));
    const unsigned mine = most_steps(shortest, reach, wished);
    e.order.flush(); // others may wait for these calls
    const std::vector<unsigned> all = gather_values(others, std::span<const unsigned>(&mine, 1));
    return known_[key] = *std::ranges::min_element(all);
}

} // namespace skelrt::detail
