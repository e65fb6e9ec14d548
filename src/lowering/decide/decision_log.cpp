// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/decision_log.hpp"

#include "src/data/managed.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace skelrt::detail
{

namespace
{

/// How many tiles each memory has a valid copy of.
std::string places_text(const managed_state& m)
{
    std::map<unsigned, std::size_t> tiles;
    for (const node_mask valid : m.valid)
        for (unsigned node = 0; node < 64; ++node)
            if (valid >> node & 1) ++tiles[node];
    std::string text;
    for (const auto& [node, count] : tiles) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", node, count);
    return fmt::format("{} tiles {{{}}}", m.tile_count(), text);
}

std::string operands_text(const call& c)
{
    std::string text;
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k) {
        const storage* const s = c.operands[k].data;
        if (!s) continue;
        const managed_state* const m = s->managed.load(std::memory_order_acquire);
        text += (text.empty() ? "" : ", ") + (m ? places_text(*m) : "host");
    }
    return text.empty() ? "no containers" : text;
}

} // namespace

std::string plan_text(std::span<const plan_group> groups, const std::vector<const target*>& targets,
                      std::size_t segments)
{
    std::string text;
    for (std::size_t d = 0; d < targets.size(); ++d) {
        std::size_t tasks = 0, mine = 0;
        for (const plan_group& g : groups)
            if (g.device == d) ++tasks, mine += g.count;
        if (tasks > 0)
            text += fmt::format("{}{}: {} of {} tiles in {} piece{}", text.empty() ? "" : ", ",
                                device_text({targets[d]->kind, 1, targets[d]->number}), mine, segments, tasks,
                                tasks == 1 ? "" : "s");
    }
    return std::ranges::any_of(groups, &plan_group::at_edge) ? text + ", edges first" : text;
}

void write_decision(const call& c, bool free, std::string_view where)
{
    log_debug("decision: {}: {} x {} x {}, {} steps; {}; {} before it in its row; {} -> {}", c.site->what.name, c.rows,
              c.cols, c.depth, c.steps, operands_text(c), program::current().row.now, free ? "free" : "told", where);
}

} // namespace skelrt::detail
