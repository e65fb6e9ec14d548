// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/bring_operands.hpp"

#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/place/grid.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/messages/transfer.hpp"
#include "src/lowering/ranks/needs/messages.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/log.hpp"

#include <memory>

namespace skelrt::detail
{

namespace
{

void log_messages(const engine& e, const call& c, const call_share& share)
{
    if (!log_enabled(log_level::debug)) return;
    const auto rank = static_cast<unsigned>(e.cluster->rank()), ranks = static_cast<unsigned>(e.cluster->size());
    const network_peaks network = e.learnt.models.machine()->network;
    const auto log = [&](std::size_t slot, const auto& messages) {
        const std::uint32_t size = c.operands[slot].data->element_size;
        const auto out = messages_from(rank, messages, size), in = messages_to(rank, messages, size);
        if (!out.empty() || !in.empty())
            log_debug("{} call {}, operand {}: {}", c.site->what.name, e.cluster->calls.calls(), slot + 1,
                      describe_messages(ranks, out, in, network));
    };
    for (const operand_passage& x : share.passages()) log(x.slot, x.messages);
    for (const lines_exchange& x : share.exchanges()) log(x.slot, x.messages);
}

/// What the share needs of an operand, without gaps; null: it lies here.
storage_ref stand_in_for(const operand_passage& x, storage& from, transfer& messages)
{
    if (x.is_here) return host_part(from).copies->here;
    if (!x.needs_stand_in()) return {};
    const auto [rows, cols, whole_rows] = x.need.copy;
    storage_ref made = create_held(all_held(rows, cols), from.element_size, whole_rows);
    messages.fill(*made, from, x.messages);
    return made;
}

/// From now on ranks have what this call brings them; `here`: to this one, or null.
void note_copies(storage& from, const operand_passage& x, unsigned rank, const storage_ref& here)
{
    std::unique_ptr<known_copies>& known = host_part(from).copies;
    if (!known) known = std::make_unique<known_copies>(known_copies{std::vector<copied_region>(x.of_ranks.size()), {}});
    for (unsigned who = 0; who < x.of_ranks.size(); ++who) {
        if (known->has(who, x.of_ranks[who])) continue;
        known->of_rank[who] = x.of_ranks[who];
        if (who == rank) known->here = here;
    }
}

} // namespace

std::vector<storage_ref> bring_operands(engine& e, const call& c, call_share& share, transfer& messages,
                                        foreign_lines& around)
{
    log_messages(e, c, share);
    const auto data_of = [&](std::size_t slot) -> storage& { return *c.operands[slot].data; };
    // What goes out goes first: others wait for it.
    for (const operand_passage& x : share.passages()) messages.send(data_of(x.slot), x.messages);
    for (const lines_exchange& x : share.exchanges()) messages.send(data_of(x.slot), x.messages);
    std::vector<storage_ref> stand_ins;
    for (const operand_passage& x : share.passages()) {
        const storage_ref there = stand_in_for(x, data_of(x.slot), messages);
        if (!x.of_ranks.empty()) note_copies(data_of(x.slot), x, static_cast<unsigned>(e.cluster->rank()), there);
        if (!there) continue;
        share.use_stand_in(x, *there);
        stand_ins.push_back(there);
    }
    for (const lines_exchange& x : share.exchanges()) {
        messages.take_lines(data_of(x.slot), x.messages, x.slot, grid_begin(c, c.operands[x.slot]), grid_width(c),
                            around);
        if (share.needs_foreign(x)) share.use_foreign(around);
    }
    return stand_ins;
}

} // namespace skelrt::detail
