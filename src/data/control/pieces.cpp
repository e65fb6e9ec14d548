// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/control/pieces.hpp"

#include "src/data/parts/part_table.hpp"

namespace skelrt::detail
{

namespace
{

/// Tiles are runs of elements, of a matrix whole rows.
rectangle tile_at(const managed_state& m, std::size_t tile)
{
    const storage& s = *m.owner;
    const std::size_t first = m.tile_begin(tile), count = m.tile_size(tile);
    if (!s.whole_rows) return {0, first, 1, count};
    return {first / s.cols, 0, count / s.cols, s.cols};
}

} // namespace

std::vector<piece> pieces_under(managed_state& m, const rectangle& part)
{
    std::vector<piece> found;
    const std::size_t element = m.owner->element_size;
    if (m.parts) {
        for (const atom_id a : m.parts->under(part)) {
            part_table::atom& one = (*m.parts)[a];
            found.push_back({one.handle, &one.valid, m.parts->where(a).size() * element});
        }
        return found;
    }
    for (std::size_t t = 0; t < m.tile_count(); ++t)
        if (overlap(tile_at(m, t), part)) found.push_back({m.tiles[t], &m.valid[t], m.tile_size(t) * element});
    return found;
}

void await_pieces(managed_state& m, const std::vector<piece>& pieces, unsigned node, int acquired_on,
                  starpu_data_access_mode how, void (*is_ready)(void*))
{
    std::vector<std::unique_ptr<awaited_piece>> all; // nothing throws once StarPU has been asked
    all.reserve(pieces.size());
    for (const piece& p : pieces) all.push_back(std::make_unique<awaited_piece>(p.handle, node, m.users));
    m.users->fetch_add(static_cast<long>(all.size()), std::memory_order_relaxed);
    for (auto& a : all) {
        const starpu_data_handle_t handle = a->handle;
        starpu_data_acquire_on_node_cb(handle, acquired_on, how, is_ready, a.release());
    }
}

void has_done_with(awaited_piece* a) noexcept
{
    a->users->fetch_sub(1, std::memory_order_release);
    delete a;
}

} // namespace skelrt::detail
