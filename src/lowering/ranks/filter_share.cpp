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

/// What the share gives. `room`: for all elements of it; it goes.
filtered filter_share(storage_ref room, const call_share& share, const run_local& run)
{
    const std::uint32_t size = room->element_size;
    if (share.empty()) return {create_held(all_held(1, 0), size, false)};
    filtered result{std::move(room)};
    call mine = share.mine();
    mine.value = &result;
    run(mine);
    set_part(*result.elements, all_held(1, result.elements->count()));
    return result;
}

/// Where the ranks' elements belong: what all of them kept follows each other, and then what they left out.
struct places {
    std::vector<std::vector<position_run>> held; ///< of each rank, in the order of its elements
    std::size_t kept = 0, all = 0;
};

places places_of(peers& others, const filtered& mine)
{
    const std::uint64_t own[] = {mine.kept, mine.elements->count() - mine.kept};
    const std::vector<std::uint64_t> counts = gather_values(others, std::span<const std::uint64_t>(own));
    places p;
    p.held.resize(counts.size() / 2);
    const auto place = [&](std::size_t side) {
        for (std::size_t rank = 0; rank < p.held.size(); ++rank) {
            const std::size_t count = counts[2 * rank + side];
            if (count > 0) p.held[rank].push_back({p.all, count});
            p.all += count;
        }
    };
    place(0);
    p.kept = p.all;
    place(1);
    return p;
}

} // namespace

void run_filter(engine& e, const call& c, const call_share& share, transfer& messages, const run_local& run)
{
    auto& result = *static_cast<filtered*>(c.value);
    peers& others = *e.cluster;
    const auto rank = static_cast<unsigned>(others.rank()), ranks = static_cast<unsigned>(others.size());
    filtered own;
    together(others, [&] {
        check_operands(c, !share.empty());
        own = filter_share(std::move(result.elements), share, run);
    });
    const places there = places_of(others, own);
    or_tell([&] {
        result.kept = there.kept;
        result.elements = storage_ref(create_storage(1, there.all, own.elements->element_size, false));
        if (there.all == 0) return;
        const passage x = passage_of(
            ranks,
            [&](unsigned who) {
                return element_grid{{{0, 1}}, there.held[who]};
            },
            [&](unsigned who) { return held_grid(*result.elements->dealt, who); }, rank);
        messages.send(*own.elements, x);
        messages.fill(*result.elements, *own.elements, x);
    });
}

} // namespace skelrt::detail
