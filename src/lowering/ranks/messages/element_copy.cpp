// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/messages/element_copy.hpp"

#include "src/lowering/engine.hpp"
#include "src/lowering/run/make_tasks.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace skelrt::detail
{

element_copy::element_copy(starpu_data_handle_t to, std::size_t element_size)
    : what_{nullptr, to, element_size, element_size, nullptr, {}, {}, 0}
{
}

void element_copy::add(starpu_data_handle_t from, std::size_t first, std::size_t count)
{
    auto known = std::ranges::find(what_.from, from);
    if (known == what_.from.end()) known = what_.from.insert(known, from);
    const auto buffer = static_cast<std::size_t>(known - what_.from.begin());
    const std::size_t offset = first * what_.element_size;
    if (!what_.parts.empty()) {
        halo::part& last = what_.parts.back();
        if (last.buffer == buffer && last.offset + last.lines * what_.element_size == offset) {
            last.lines += count;
            return;
        }
    }
    what_.parts.push_back({buffer, offset, count});
}

void element_copy::add(managed_state& from, std::size_t first, std::size_t count)
{
    hold(from);
    while (count > 0) {
        const std::size_t tile = first / from.tile_elements, at = first - from.tile_begin(tile);
        const std::size_t here = std::min(count, from.tile_size(tile) - at);
        add(from.tiles[tile], at, here);
        if (valid_ & from.valid[tile]) valid_ &= from.valid[tile];
        first += here;
        count -= here;
    }
}

void element_copy::is_done(void* copy) noexcept { delete static_cast<element_copy*>(copy); }

node_mask element_copy::submit(engine& e, std::unique_ptr<element_copy> copy, int priority)
{
    starpu_task* const t = make_halo_task(copy->what_);
    t->name = "copy between ranks";
    node_mask there = node_mask{1} << STARPU_MAIN_RAM;
    const auto has_it = [&](const target& d) { return d.kind != device::cpu && copy->valid_ >> d.node & 1; };
    const auto gpu = std::ranges::find_if(e.devices().targets(), has_it);
    const bool at_home = copy->valid_ & there;
    if (!at_home && gpu != e.devices().targets().end()) {
        t->execute_on_a_specific_worker = 1;
        t->workerid = static_cast<unsigned>(gpu->worker);
        there = node_mask{1} << gpu->node;
    } else {
        leave_to_leader(*t, e.devices());
    }
    t->callback_func = &is_done;
    t->callback_arg = copy.release();
    const int refused = submit_task(t, priority);
    if (refused == 0) return there;
    is_done(t->callback_arg);
    discard(t);
    throw error(fmt::format("StarPU accepts no task that copies elements between ranks ({})", std::strerror(-refused)));
}

} // namespace skelrt::detail
