// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/moves.hpp"

#include "src/lowering/traits.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

bool is_host_only(const slot_ref& r) { return r.handle == slot_ref::host; }

} // namespace

bool may_move(const task_group& g)
{
    return g.owner->groups.size() > 1 && traits_of(g.owner->what().kind).may_move &&
           std::ranges::none_of(g.refs, is_host_only) && std::ranges::none_of(g.hood_refs, is_host_only);
}

void note_moves(const task_group& g) noexcept
{
    const int worker = starpu_worker_get_id();
    if (g.tiles.empty() || worker < 0 || worker == g.hint.worker) return;
    const node_mask here = node_mask{1} << starpu_worker_get_memory_node(static_cast<unsigned>(worker));
    for (const tile_note& t : g.tiles) t.moved->add({t.tile, t.version, t.lost_if_moved, here});
}

} // namespace skelrt::detail
