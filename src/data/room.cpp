// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/room.hpp"

#include "src/data/tile_handle.hpp"

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

starpu_data_handle_t cut_managed(storage& s, std::size_t n)
{
    managed_state& m = *s.managed.load(std::memory_order_acquire);
    const bool all = n == s.count();
    const std::size_t full = n / m.tile_elements, rest = n % m.tile_elements;
    managed_state::cut_room room{part_of(s), s.whole_rows, {}, {}};
    if (!all) {
        const auto from = static_cast<std::ptrdiff_t>(full);
        room.tiles.assign(m.tiles.begin() + from, m.tiles.end());
        room.valid.assign(m.valid.begin() + from, m.valid.end());
    }
    set_part(s, all_held(1, n));
    s.whole_rows = false;
    s.inner = {};
    if (all) return nullptr;
    m.room = std::move(room);
    m.tiles.resize(full + (rest > 0 ? 1 : 0));
    m.valid.resize(m.tiles.size());
    m.in_range = std::min(m.in_range, full); // the last tile is copied from the one that lies where it would
    if (rest > 0) register_handle(m.tiles[full], s.data + m.tile_begin(full) * s.element_size, rest, s.element_size);
    ++m.version;
    return rest > 0 ? m.room.tiles.front() : nullptr;
}

void restore_room(storage& s) noexcept
{
    managed_state& m = *s.managed.load(std::memory_order_acquire);
    if (m.room.tiles.empty()) return;
    const std::size_t full = s.count() / m.tile_elements;
    if (full < m.tiles.size()) starpu_data_unregister_no_coherency(m.tiles[full]);
    if (m.replica) starpu_data_unregister_no_coherency(std::exchange(m.replica, nullptr));
    m.tiles.resize(full);
    m.valid.resize(full);
    const managed_state::cut_room room = std::exchange(m.room, {});
    m.tiles.insert(m.tiles.end(), room.tiles.begin(), room.tiles.end());
    m.valid.insert(m.valid.end(), room.valid.begin(), room.valid.end());
    note_tiles_in_range(m);
    set_part(s, room.shape);
    s.whole_rows = room.whole_rows;
    m.moved->take(); // of other tiles
    ++m.version;
}

void drop_room(managed_state& m) noexcept
{
    for (starpu_data_handle_t h : std::exchange(m.room, {}).tiles) starpu_data_unregister_submit(h);
}

void drop_besides(managed_state& m) noexcept
{
    if (m.replica) starpu_data_unregister_submit(std::exchange(m.replica, nullptr));
    drop_room(m);
}

} // namespace skelrt::detail
