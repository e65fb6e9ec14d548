// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/managed_state.hpp"
#include "src/data/memory/memory.hpp"

namespace skelrt::detail
{

/// What tiles may come to, in bytes.
struct tile_limits {
    /// A handle costs StarPU one to two microseconds a task, as long as a GPU takes for 2 to 4 MiB of its own memory.
    std::size_t least = std::size_t{12} << 20;
    /// Tasks of several containers must fit in a device's memory, together with copies for the next ones.
    std::size_t most = ~std::size_t{0};
};

/// Elements per tile for a container of this shape. Pure.
/// `wanted` tiles, or as few as the limits allow, and about 32 in between.
std::size_t choose_tile_elements(const storage& s, std::size_t wanted, const tile_limits& limits) noexcept;

/// How many tiles a container of so many bytes has where nobody wishes otherwise, and every device has memory for it.
std::size_t usual_tiles(std::size_t bytes) noexcept;

/// The state of a storage, registered in tiles with StarPU if it was not. Caller holds the order's lock. Count > 0.
/// `grain`: tiles that the call would like it to have; 0: as its size says.
managed_state& manage(storage& s, std::size_t grain = 0);
/// The same of data that is going to travel between the host and a device.
managed_state& manage_pinned(storage& s, std::size_t grain = 0);

/// Cuts a storage anew, whose data is all in the host's memory, or, with `keep` false, of no interest. Nobody uses it
/// now.
void cut_again(managed_state& m, std::size_t tile_elements, bool keep);
/// What manage() would choose.
std::size_t tile_elements_for(const storage& s, std::size_t grain);

/// The same for tasks, which use it in parts as well. Pinned.
managed_state& manage_as_it_is(storage& s);
/// The same with given tiles; the storage is not managed yet.
managed_state& manage_with_tiles(storage& s, std::size_t tile_elements);

/// Whether all of the data is in the host's memory, by our notes of where its last users ran. Caller holds the order's
/// lock.
bool should_be_at_hand(const managed_state& m);
/// The same, by StarPU, which moves data on its own. Nobody uses the data now.
bool is_at_hand(const managed_state& m);
/// Whether the host may read a tile now: nobody writes it, and StarPU has it there.
bool is_readable_here(const managed_state& m, std::size_t tile);
/// The host is about to write what is at hand: all other copies are old.
void note_host_write(managed_state& m);

/// A gather task is needed before the replica of this version can be read; the caller submits it.
bool replica_is_stale(managed_state& m);

/// A call writes all elements, or some.
void note_writer(managed_state& m, std::shared_ptr<const progress> call, bool all);

/// Ends host accesses whose views ended in tasks. Cheap when there are none. Not for who holds the order's lock.
void end_late_accesses() noexcept;
/// Ends one host access to all tiles.
void release_tiles(managed_state& m) noexcept;

/// Copies managed data, asynchronously, into a storage of the same shape that is new or was just taken from those that
/// are kept. False: the latter's tiles are not like the original's.
bool copy_managed(storage& from, storage& to);
/// The program lets go of the data, and no call will be made of it any more: who has read a sum of it, and no more,
/// tells so how often such data is used. Nobody else has it: no lock is needed.
void note_last_use(const storage& s) noexcept;
/// Ends the management of a storage that nobody uses any more; borrowed memory gets the data first.
void discard_managed(storage& s) noexcept;
/// Host memory known to the CUDA driver, so that copies are asynchronous: where there is a CUDA device, before the
/// first copy. Pinning takes longer than most work on the memory, and what one device makes and uses never travels.
/// Caller holds the order's lock.
void pin_for_copies(managed_state& m) noexcept;
void pin_storage(storage& s) noexcept;
void unpin_storage(storage& s) noexcept;
/// Waits for what no task has used: calls that a user's thread made itself. Throws the error that was left with it.
void acquire_unmanaged(storage& s, access how);
/// Leaves a fault with a storage that is no longer managed.
void keep_fault(storage& s, const std::exception_ptr& what) noexcept;

/// Corrects the notes of where tiles are, as far as nobody wrote them since. Caller holds the order's lock.
void settle_moves(managed_state& m) noexcept;

/// For the runtime's end: all states that there are, which whoever takes them brings home.
std::vector<managed_state*> take_all_managed() noexcept;
/// The data comes home and is no longer managed. The state is gone.
void bring_home(managed_state& m) noexcept;

} // namespace skelrt::detail
