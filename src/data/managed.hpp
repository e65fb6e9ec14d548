#pragma once

#include "src/data/faults/unread.hpp"
#include "src/data/memory/memory.hpp"
#include "src/data/moved.hpp"
#include "src/data/residency.hpp"
#include "src/runtime/order/progress.hpp"

#include <skelrt/detail/storage.hpp>

#include <starpu.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

/// Bit i: memory node i has a valid copy once everything submitted so far is done. A guess: StarPU may evict.
using node_mask = std::uint64_t;

/// Calls that failed to write some data, the oldest ones: each of them is an error for all who read later. Shared with
/// the data's copies, which inherit them.
class fault_log
{
public:
    fault_log() = default;
    fault_log(const fault_log&) = delete;
    fault_log& operator=(const fault_log&) = delete;
    void add(std::uint64_t call, const std::exception_ptr& what) noexcept;
    /// The fault of a call with a number in [from, before), or null.
    std::exception_ptr find(std::uint64_t from, std::uint64_t before) noexcept;
    /// One load: most logs stay empty.
    bool empty() const noexcept { return !any_.load(std::memory_order_acquire); }
    static constexpr std::size_t most = 16;
    std::size_t size() noexcept;

private:
    struct fault {
        std::uint64_t call;
        noted_error what;
    };
    std::atomic<bool> any_{false};
    std::mutex guard_;
    std::vector<fault> faults_; ///< by their calls
    /// The first that there was no memory for: it stands for all that came after.
    std::exception_ptr rest_;
    std::uint64_t rest_from_ = 0;
};

/// Which faults a reader has to mind: those of calls in [from, before).
struct fault_window {
    std::shared_ptr<fault_log> log;
    std::uint64_t from = 0, before = 0;
};

/// What readers of some data must mind.
struct fault_state {
    std::shared_ptr<fault_log> faults = std::make_shared<fault_log>();
    std::uint64_t healed = 0; ///< faults of calls before this number no longer matter: later ones wrote everything anew
    std::vector<fault_window> inherited; ///< what a copy must mind of its originals; empty once overwritten
};
/// As who takes over the data inherits it: windows of the call numbers before `next_call`.
void inherit_faults(std::vector<fault_window>& into, const fault_state& from, std::uint64_t next_call);

class part_table;

/// What the core knows about a storage that tasks use: its tiles, each a StarPU handle on a part of the allocation.
///
/// Lifetime: from the first call that needs tasks to the storage's end or the runtime's, whichever is first.
/// Locks: everything belongs to whoever holds the order's lock; the fault log has its own.
struct managed_state : fault_state {
    storage* owner = nullptr;
    std::size_t tile_elements = 0; ///< elements per tile, whole rows of a matrix; the last tile may be smaller
    std::vector<starpu_data_handle_t> tiles;
    std::vector<node_mask> valid; ///< per tile
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
    bool copied_into = false; ///< StarPU's copies wrote after them: ask StarPU

    /// All elements in one piece, for sk::vec and sk::mat parameters on devices; gathered when `replica_version` is
    /// old.
    starpu_data_handle_t replica = nullptr;
    std::uint64_t replica_version = 0;

    /// Tasks use it in parts: these stand for the tiles, of which there are none (parts/part_table.hpp). Shared, so that
    /// who deletes this need not know what it is.
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

/// The state of a storage, registered with StarPU now if it was not, in tiles. Caller holds the order's lock. Count > 0.
/// `grain`: tiles that the call would like it to have; 0: as its size says.
managed_state& manage(storage& s, std::size_t grain = 0);

/// Cuts a storage anew, whose data is all in the host's memory, or, with `keep` false, of no interest. Nobody uses it
/// now.
void cut_again(managed_state& m, std::size_t tile_elements, bool keep);
/// What manage() would choose.
std::size_t tile_elements_for(const storage& s, std::size_t grain);

/// The same for tasks, which use it in parts as well.
managed_state& manage_as_it_is(storage& s);
/// The same with given tiles; the storage is not managed yet.
managed_state& manage_with_tiles(storage& s, std::size_t tile_elements);

/// What programs did with the data so far tells nothing of what is there from now on.
void forget_past(managed_state& m) noexcept;

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

/// The fault that a reader submitted before call number `before` must not overlook, or null.
std::exception_ptr find_fault(const fault_state& m, std::uint64_t before) noexcept;
/// A call writes all elements, or some.
void note_writer(managed_state& m, std::shared_ptr<const progress> call, bool all);
/// From call number `call` on everything is written anew.
void heal(fault_state& m, std::uint64_t call) noexcept;

/// Ends host accesses whose views ended in tasks. Cheap when there are none. Not for who holds the order's lock.
void end_late_accesses() noexcept;
/// Ends one host access to all tiles.
void release_tiles(managed_state& m) noexcept;
/// Keeps the first n > 0 elements as a vector, and the tiles that are full. Returns the handle of what was the tile in
/// which they end, whose part that stays is the last tile now: the caller copies it there and then unregisters it.
/// Null: they end where a tile does. Nobody uses the data.
starpu_data_handle_t cut_managed(storage& s, std::size_t n);

/// Copies managed data, asynchronously, into a new storage of the same shape.
void copy_managed(storage& from, storage& to);
/// Ends the management of a storage that nobody uses any more; borrowed memory gets the data first.
void discard_managed(storage& s) noexcept;
/// Host memory known to the CUDA driver, so that copies are asynchronous.
void pin_storage(storage& s) noexcept;
void unpin_storage(storage& s) noexcept;
/// Leaves a fault with a storage that is no longer managed.
void keep_fault(storage& s, const std::exception_ptr& what) noexcept;
noted_error take_left_fault(storage& s) noexcept;

/// Corrects the notes of where tiles are, as far as nobody wrote them since. Caller holds the order's lock.
void settle_moves(managed_state& m) noexcept;

/// For the runtime's end: all states that there are, which whoever takes them brings home.
std::vector<managed_state*> take_all_managed() noexcept;
/// The data comes home and is no longer managed. The state is gone.
void bring_home(managed_state& m) noexcept;

} // namespace skelrt::detail
