// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/edges/edges.hpp"

#include "src/lowering/decide/usable.hpp"
#include "src/lowering/place/layout/layout.hpp"
#include "src/lowering/ranks/steps/edges_apart.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/machine/network.hpp"

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// With what it and its messages take, if one device does it all.
share_with_edges timed(const engine& e, const call& c, const target& t)
{
    share_with_edges s = edges_of(c);
    if (!c.foreign || s.edges == 0) return {};
    const std::size_t n = evaluations(c);
    const estimate cost =
        e.learnt.models.predict(c.site->what, runner_of(t), n, c.site->core.near(n), e.devices().cores());
    s.message_us = message_us(e.learnt.models.machine()->network, static_cast<double>(s.bytes));
    s.task_us = cost.fixed_us + t.way_us;
    s.work_us = cost.element_us * static_cast<double>(n);
    return s;
}

bool is_of_one_device(const decision& d)
{
    return std::ranges::all_of(d.groups, [&](const plan_group& g) { return g.device == d.groups[0].device; });
}

/// Each group in the runs of its segments that are at an edge, or are not.
std::vector<plan_group> parted(const std::vector<plan_group>& groups, const layout& data)
{
    std::vector<plan_group> all;
    for (const plan_group& g : groups)
        for (std::size_t s = g.first; s < g.first + g.count; ++s) {
            const bool at_edge = data.needs_foreign(s);
            if (s > g.first && all.back().at_edge == at_edge) ++all.back().count;
            else all.push_back({g.device, s, 1, at_edge});
        }
    return all;
}

} // namespace

std::size_t tiles_wanted_for_edges(const engine& e, const call& c, const std::vector<const target*>& targets)
{
    const bool is_cut_by_user = e.devices().default_tiles() > 1;
    if (!c.foreign || targets.size() != 1 || e.devices().policy_places() || is_cut_by_user) return 0;
    return tiles_for_edges(timed(e, c, *targets[0]));
}

shared_decision with_edges_apart(const engine& e, const call& c, const layout& data, shared_decision made)
{
    const std::size_t segments = data.segments();
    if (!c.foreign || segments < 2 || e.devices().policy_places() || !is_of_one_device(*made)) return made;
    std::size_t first_lines = 0;
    for (std::size_t s = 0; s < segments; ++s) first_lines += data.needs_foreign(s) ? data.lines_of(s) : 0;
    const share_with_edges share = timed(e, c, *made->targets[made->groups[0].device]);
    if (!is_worth_edges(share, gain_of_edges_us(share, first_lines, segments))) return made;
    decision apart = *made;
    apart.groups = parted(made->groups, data);
    return std::make_shared<const decision>(std::move(apart));
}

} // namespace skelrt::detail
