// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/faults/fault_state.hpp"
#include "src/data/moved.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/residency.hpp"
#include "src/runtime/order/progress.hpp"

#include <skelrt/detail/storage.hpp>

#include <starpu.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace skelrt::detail
{

class part_table;
class tile_range;

/// Bit i: memory node i has a valid copy once everything submitted so far is done. A guess: StarPU may evict.
using node_mask = std::uint64_t;

/// What the core knows about a storage that tasks use: its tiles, each a StarPU handle on a part of the allocation.
///
/// Lifetime: from the first call that needs tasks to the storage's end or the runtime's, whichever is first.
/// Locks: everything belongs to whoever holds the order's lock; the fault log has its own.
struct managed_state : fault_state {
    storage* owner = nullptr;
    std::size_t tile_elements = 0; ///< elements per tile, whole rows of a matrix; the last tile may be smaller
    std::vector<starpu_data_handle_t> tiles;
    std::vector<node_mask> valid; ///< per tile
    bool is_at(std::size_t tile, unsigned node) const noexcept { return valid[tile] >> node & 1; }
    std::shared_ptr<moved_tiles> moved = std::make_shared<moved_tiles>();
    residency moves;           ///< what has been lost because tiles were not elsewhere
    std::uint64_t version = 0; ///< counts the writers submitted
    int acquired = 0;          ///< open host views that hold the tiles
    int watched = 0;           ///< threads that go through the tiles without the lock
    /// Calls whose tasks use the tiles, until they are let go (let_ended_go()), and copies under way. Any thread;
    /// copies may end when this is gone.
    std::shared_ptr<std::atomic<long>> users = std::make_shared<std::atomic<long>>(0);
    std::uint64_t batch = 0; ///< number of the last one that uses it, which may wait to be sent
    static constexpr std::uint32_t written_here = ~0u; ///< in used_here; otherwise readers
    std::atomic<std::uint32_t> used_here{
        0}; ///< threads that work on it themselves (use_here.hpp); grows under the lock
    static constexpr std::uint32_t nobody = ~0u;
    std::uint32_t producer = nobody; ///< the recipe whose results these are, until somebody reads them
    struct {
        std::uint32_t first; ///< recipe
        std::size_t calls;
        bool free = true;      ///< none was told where to run: what a program does to compare devices is no habit
    } run{nobody, 0};          ///< calls that used the data since the host did, or what it was made from
    std::uint64_t episode = 0; ///< that used it last; see episodes::number()
    /// The calls that wrote what is there now. Whoever waits for the data asks these, not StarPU for each tile.
    std::vector<std::shared_ptr<const progress>> writers;
    bool copied_into = false; ///< StarPU's copies, or tasks on parts, wrote after them: ask StarPU

    /// Where the first `in_range` tiles follow each other on devices; null: nowhere.
    std::shared_ptr<tile_range> range;
    std::size_t in_range = 0;

    /// All elements in one piece, for sk::vec and sk::mat parameters on devices; gathered when `replica_version` is
    /// old.
    starpu_data_handle_t replica = nullptr;
    std::uint64_t replica_version = 0;

    /// What a filter's result was cut from (room.hpp).
    struct cut_room {
        held_part shape;
        bool whole_rows = false;
        std::vector<starpu_data_handle_t> tiles; ///< from the one in which the result ends; none: nothing was cut
        std::vector<node_mask> valid;
    } room;

    /// Tasks use it in parts: these stand for the tiles, of which there are none (parts/part_table.hpp). Shared, so
    /// that who deletes this need not know what it is.
    std::shared_ptr<part_table> parts;

    /// Whether a thread of the program works on it itself and is in the way of a reader, or a writer.
    bool is_worked_on(bool by_writer) const noexcept
    {
        const std::uint32_t now = used_here.load(std::memory_order_acquire);
        return by_writer ? now > 0 : now >= written_here;
    }
    /// Whether no task uses it, but for so many calls that the caller knows of.
    bool is_idle(long but_for_calls = 0) const noexcept
    {
        return users->load(std::memory_order_acquire) <= but_for_calls;
    }
    /// Whether no thread of the program is at the tiles now; one that only reads them is in nobody's way but a
    /// writer's.
    bool is_unused(bool by_writer) const noexcept
    {
        return watched == 0 && (!by_writer || acquired == 0) && !is_worked_on(by_writer);
    }
    std::size_t tile_count() const noexcept { return tiles.size(); }
    std::size_t tile_begin(std::size_t t) const noexcept { return t * tile_elements; }
    std::size_t tile_size(std::size_t t) const noexcept
    {
        const std::size_t n = owner->count(), first = tile_begin(t);
        return n - first < tile_elements ? n - first : tile_elements;
    }
};

/// What programs did with the data so far tells nothing of what is there from now on.
void forget_past(managed_state& m) noexcept;

/// Whether all tiles follow each other in a node's memory, as they do in the host's, wherever they are valid.
bool lies_in_one_piece(const managed_state& m, unsigned node) noexcept;
/// The tiles are handles that others have made.
void note_tiles_in_range(managed_state& m) noexcept;

} // namespace skelrt::detail
