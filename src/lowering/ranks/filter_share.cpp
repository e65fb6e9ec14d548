// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/filter_share.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/call_faults.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/messages/transfer.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// What is kept of the share. `room`: for all elements of it; it goes.
storage_ref filter_here(storage_ref room, const call_share& share, const run_local& run)
{
    const std::uint32_t size = room->element_size;
    if (share.empty()) return create_held(all_held(1, 0), size, false);
    call mine = share.mine();
    mine.value = &room;
    run(mine);
    set_part(*room, all_held(1, room->count()));
    return room;
}

/// What ranks hold of results that follow each other.
std::vector<position_run> follow_each_other(peers& others, std::uint64_t mine)
{
    std::vector<position_run> runs;
    for (const std::uint64_t count : gather_values(others, std::span<const std::uint64_t>(&mine, 1)))
        runs.push_back({runs.empty() ? 0 : runs.back().end(), count});
    return runs;
}

} // namespace

void run_filter(engine& e, const call& c, const call_share& share, transfer& messages, const run_local& run)
{
    storage_ref& result = *static_cast<storage_ref*>(c.value);
    peers& others = *e.cluster;
    const auto rank = static_cast<unsigned>(others.rank()), ranks = static_cast<unsigned>(others.size());
    storage_ref kept;
    together(others, [&] {
        check_operands(c, !share.empty());
        kept = filter_here(std::move(result), share, run);
    });
    const std::vector<position_run> held = follow_each_other(others, kept->count());
    or_tell([&] {
        result = storage_ref(create_storage(1, held.back().end(), kept->element_size, false));
        if (held.back().end() == 0) return;
        const auto as_columns = [](const position_run& run) { return element_grid{{{0, 1}}, {run}}; };
        const passage x = passage_of(
            ranks, [&](unsigned who) { return as_columns(held[who]); },
            [&](unsigned who) { return held_grid(*result->dealt, who); }, rank);
        messages.send(*kept, x);
        messages.fill(*result, *kept, x);
    });
}

} // namespace skelrt::detail
