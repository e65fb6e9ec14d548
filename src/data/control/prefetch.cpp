// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/control/device_node.hpp"
#include "src/data/control/pieces.hpp"
#include "src/data/managed.hpp"
#include "src/data/parts/held_here.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/error.hpp>
#include <skelrt/residence.hpp>

#include <fmt/format.h>

namespace skelrt::detail
{

namespace
{

/// Under the reader's access that the piece was acquired with: what travels is what the calls before have left.
void fetch(void* of) noexcept
{
    auto* const a = static_cast<awaited_piece*>(of);
    starpu_data_prefetch_on_node(a->handle, a->node, 1);
    starpu_data_release_on_node(a->handle, STARPU_ACQUIRE_NO_NODE);
    has_done_with(a);
}

void refuse_open_views(const storage& s, const caller& where)
{
    if (s.writers > 0)
        throw error(fmt::format("{}sk::prefetch of {} elements: a host view that may write them is open; let it go out "
                                "of scope first",
                                place_text(where), s.shape_rows * s.shape_cols));
}

} // namespace

void prefetch(const storage_ref& data, const placement& part, device kind, int number, const caller& where)
{
    const call_visit visit("sk::prefetch");
    running& r = visit.runtime();
    const unsigned node = node_of_device(r, kind, number, where, data ? data->shape_rows * data->shape_cols : 0);
    if (!data || data->count() == 0) return;
    storage& s = *data;
    refuse_open_views(s, where);
    if (node == STARPU_MAIN_RAM && !s.managed.load(std::memory_order_acquire)) return; // it lies nowhere else
    const auto in_use = [&] {
        const managed_state* const m = s.managed.load(std::memory_order_acquire);
        return m && m->is_worked_on(false);
    };
    const auto lock = r.order.lock_when_unused(in_use);
    managed_state& m = manage_as_it_is(s);
    r.order.flush_locked(m.batch);
    const std::vector<piece> pieces = pieces_under(m, held_here(s, part));
    await_pieces(m, pieces, node, STARPU_ACQUIRE_NO_NODE, STARPU_R, &fetch);
    for (const piece& p : pieces) *p.valid |= node_mask{1} << node;
}

} // namespace skelrt::detail
