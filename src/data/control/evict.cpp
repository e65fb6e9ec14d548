// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/control/pieces.hpp"
#include "src/data/managed.hpp"
#include "src/data/parts/held_here.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/data/room.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/residence.hpp>

#include <sched.h>

namespace skelrt::detail
{

namespace
{

/// StarPU gives up where another thread looks at the data just now, if only to see where it is.
void free_on(starpu_data_handle_t handle, unsigned node) noexcept
{
    constexpr int patience = 1000;
    for (int k = 0; k < patience; ++k) {
        int allocated = 0, valid = 0, requested = 0;
        starpu_data_query_status(handle, static_cast<int>(node), &allocated, &valid, &requested);
        if (!allocated || valid || requested || starpu_data_evict_from_node(handle, node) == 0) return;
        sched_yield();
    }
}

/// The host alone has a valid copy now; memory elsewhere goes back to its device. StarPU frees none while somebody
/// writes, so the data is given back first. What the next call has begun to use by then stays.
void free_elsewhere(void* of) noexcept
{
    auto* const a = static_cast<awaited_piece*>(of);
    starpu_data_release_on_node(a->handle, STARPU_MAIN_RAM);
    for (unsigned node = 0, nodes = starpu_memory_nodes_get_count(); node < nodes; ++node) free_on(a->handle, node);
    has_done_with(a);
}

} // namespace

void evict(const storage_ref& data, const placement& part, const caller& where)
{
    if (!data || data->count() == 0) return;
    storage& s = *data;
    if (inside_task()) static_cast<void>(call_visit("sk::evict"));
    refuse_open_views(s, where, "sk::evict"); // later calls would wait for the copy home, and that for the view
    if (!s.managed.load(std::memory_order_acquire)) return; // it lies nowhere else
    const call_visit visit("sk::evict");
    running& r = visit.runtime();
    managed_state& m = *s.managed.load(std::memory_order_acquire);
    const auto lock = r.order.lock_when_unused([&] { return m.is_worked_on(true); });
    r.order.flush_locked(m.batch);
    const std::vector<piece> pieces = pieces_under(m, held_here(s, part));
    // As a writer: behind the calls that read it now, and before those that come.
    await_pieces(m, pieces, STARPU_MAIN_RAM, STARPU_MAIN_RAM, STARPU_RW, &free_elsewhere);
    for (const piece& p : pieces) *p.valid = node_mask{1} << STARPU_MAIN_RAM;
    drop_besides(m);
}

} // namespace skelrt::detail
