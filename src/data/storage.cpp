// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/faults.hpp"
#include "src/cluster/other_ranks.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/faults/foreign_faults.hpp"
#include "src/data/faults/races.hpp"
#include "src/data/faults/unwritten.hpp"
#include "src/data/managed.hpp"
#include "src/data/memory/copy_bytes.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/memory/kept.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/data/release.hpp"
#include "src/data/waiting/wait_for_all.hpp"
#include "src/model/knowledge.hpp"
#include "src/program/program.hpp"
#include "src/runtime/checks.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/error.hpp>
#include <skelrt/view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::size_t checked_bytes(std::size_t rows, std::size_t cols, std::size_t element_size)
{
    std::size_t count = 0, bytes = 0;
    if (__builtin_mul_overflow(rows, cols, &count) || __builtin_mul_overflow(count, element_size, &bytes))
        throw error(fmt::format("a container of {} x {} elements of {} bytes is larger than any memory", rows, cols,
                                element_size));
    return bytes;
}

/// What the allocator knows may have been in the hands of another thread of the parent.
void refuse_after_fork()
{
    if (is_forked_from_runtime())
        throw error("a container: this process was forked from one whose sk::runtime lives, and can make none; start "
                    "the runtime after the fork, or let the child exec");
}

/// Calls in flight hold their operands: a loop that makes new containers faster than tasks finish must not fill the
/// machine.
void wait_while_memory_is_short(std::size_t bytes)
{
    if (bytes_in_use() + bytes <= comfortable_bytes()) return;
    if (running* e = running::current(); e && !inside_task()) {
        wait_for_all_tasks(*e);
        reap();
        drop_kept_storages();
    }
}

/// A loop of x = f(x) leaves a container behind with each call, which tasks in flight still read. Fresh memory costs
/// more (pages to clear, to pin, to allocate on devices) than to let the loop be only a few calls ahead. Whether
/// somebody waited.
bool wait_for_earlier_calls(std::size_t bytes)
{
    constexpr std::size_t ahead_bytes = std::size_t{1} << 30, fewest = 4, most = 64, worth_waiting = 1 << 20;
    running* const e = running::current();
    if (!e || bytes < worth_waiting || inside_task()) return false;
    const auto calls = static_cast<std::uint32_t>(std::clamp(ahead_bytes / bytes, fewest, most));
    program& mine = program::current();
    if (mine.calls_in_flight() <= calls) return false;
    e->order.flush();
    mine.wait_for_own_calls(calls);
    reap();
    return true;
}

host_storage* without_memory(const held_part& p, std::uint32_t element_size, bool whole_rows)
{
    auto* s = new host_storage;
    s->checked = wanted_checks().has(check::bounds);
    set_part(*s, p);
    s->element_size = element_size;
    s->whole_rows = whole_rows;
    watch_uses(*s);
    return s;
}

/// For a visitor, who has reaped.
storage* make_storage(const held_part& p, std::uint32_t element_size, bool whole_rows)
{
    const std::size_t bytes = p.count() * element_size;
    wait_while_memory_is_short(bytes);
    host_storage* const s = without_memory(p, element_size, whole_rows);
    if (bytes == 0) return s;
    try {
        if (bytes >= worth_keeping && !inside_task() && !is_block_kept(bytes))
            give_memory_of_kept(p, element_size, whole_rows);
        s->memory = allocate_block(bytes);
    } catch (...) {
        delete s;
        throw;
    }
    s->data = static_cast<std::byte*>(s->memory.data);
    if (wanted_checks().has(check::unwritten)) mark_unwritten(*s);
    return s;
}

storage* create_part(const held_part& p, std::uint32_t element_size, bool whole_rows)
{
    refuse_after_fork();
    const patient_visit visit;
    reap();
    return make_storage(p, element_size, whole_rows);
}

} // namespace

storage* create_held_result(const held_part& p, std::uint32_t element_size, bool whole_rows)
{
    refuse_after_fork();
    const patient_visit visit;
    reap();
    if (storage* s = take_kept_storage(p, element_size, whole_rows)) return s;
    if (wait_for_earlier_calls(p.count() * element_size))
        if (storage* s = take_kept_storage(p, element_size, whole_rows)) return s;
    storage* s = make_storage(p, element_size, whole_rows);
    mark_written(*s);
    return s;
}

storage_ref create_held(const held_part& p, std::uint32_t element_size, bool whole_rows)
{
    return storage_ref(create_part(p, element_size, whole_rows));
}

storage* create_storage(std::size_t rows, std::size_t cols, std::uint32_t element_size, bool whole_rows)
{
    checked_bytes(rows, cols, element_size);
    return create_part(new_part(rows, cols, whole_rows), element_size, whole_rows);
}

storage* create_scalar(std::uint32_t element_size) { return create_part(all_held(1, 1), element_size, false); }

storage* create_result(std::size_t rows, std::size_t cols, std::uint32_t element_size, bool whole_rows)
{
    checked_bytes(rows, cols, element_size);
    return create_held_result(new_part(rows, cols, whole_rows), element_size, whole_rows);
}

storage_ref create_like(const storage& s)
{
    storage_ref made(s.wanted_tiles == 0 ? create_held_result(part_of(s), s.element_size, s.whole_rows)
                                         : create_part(part_of(s), s.element_size, s.whole_rows));
    made->inner = s.inner;
    made->wanted_tiles = s.wanted_tiles;
    return made;
}

storage* borrow_storage(void* data, std::size_t rows, std::size_t cols, std::uint32_t element_size, bool whole_rows)
{
    const std::size_t bytes = checked_bytes(rows, cols, element_size);
    if (!data && bytes > 0) throw error(fmt::format("sk::borrow: null pointer for {} elements", rows * cols));
    host_storage* const s = without_memory(new_part(rows, cols, whole_rows), element_size, whole_rows);
    s->data = static_cast<std::byte*>(data) + s->first * element_size;
    s->borrowed = true;
    return s;
}

namespace
{

/// The extents behind the first, multiplied.
std::size_t checked_columns(std::span<const std::size_t> extents)
{
    std::size_t cols = 1;
    for (const std::size_t e : extents.subspan(1))
        if (__builtin_mul_overflow(cols, e, &cols))
            throw error(fmt::format("a tensor of {} elements is larger than any memory", fmt::join(extents, " x ")));
    return cols;
}

storage* as_tensor(storage* s, std::span<const std::size_t> extents)
{
    std::copy(extents.begin() + 1, extents.end(), s->inner.begin());
    return s;
}

} // namespace

storage* create_tensor(std::span<const std::size_t> extents, std::uint32_t element_size)
{
    return as_tensor(create_storage(extents[0], checked_columns(extents), element_size, true), extents);
}

storage* borrow_tensor(void* data, std::span<const std::size_t> extents, std::uint32_t element_size)
{
    return as_tensor(borrow_storage(data, extents[0], checked_columns(extents), element_size, true), extents);
}

namespace
{

/// Of what tasks know: they fill it.
storage* copy_by_tasks(storage& from)
{
    const std::size_t tiles = std::atomic_ref(from.managed.load(std::memory_order_acquire)->tile_elements)
                                  .load(std::memory_order_relaxed); // another thread may cut it again
    const auto filled = [&](storage* s) {
        host_part(*s).just_taken = false;
        s->inner = from.inner;
        host_part(*s).foreign = host_part(from).foreign;
        try {
            if (copy_managed(from, *s)) return s;
        } catch (...) {
            destroy_storage(s);
            throw;
        }
        destroy_storage(s);
        return static_cast<storage*>(nullptr);
    };
    if (storage* const taken = take_kept_storage(part_of(from), from.element_size, from.whole_rows, tiles))
        if (storage* const s = filled(taken)) return s;
    return filled(create_part(part_of(from), from.element_size, from.whole_rows));
}

} // namespace

void throw_moved_from()
{
    throw error("sk::scalar: its value has gone to another one by std::move, and it was not assigned to since");
}

storage* clone_storage(storage& from)
{
    refuse_after_fork();
    if (from.watched) check_races(from, all_of(from), data_use::reads, "a copy");
    if (from.dealt && are_parts_written(from)) throw_part_open(from); // on all ranks, whoever holds the part
    const patient_visit visit;
    const bool written_here = is_written_as_a_whole(from); // it is at home, and tasks would wait for the view's end
    if (written_here && from.dealt)
        throw error(fmt::format("a copy of a container of {} x {} elements that several ranks hold: a host view of it "
                                "is open; let it go out of scope first",
                                from.shape_rows, from.shape_cols));
    if (from.count() > 0 && !written_here && from.managed.load(std::memory_order_acquire)) return copy_by_tasks(from);
    storage* s = create_part(part_of(from), from.element_size, from.whole_rows);
    s->inner = from.inner;
    host_part(*s).foreign = host_part(from).foreign;
    if (s->count() == 0) return s;
    copy_bytes(s->data, from.data, from.count() * from.element_size);
    if (!from.managed.load(std::memory_order_acquire)) host_part(*s).left_fault = host_part(from).left_fault;
    return s;
}

namespace
{

void copy_elements_here(storage& to, storage& from)
{
    managed_state* const read = acquire(from, access::read);
    try {
        managed_state* const written = acquire(to, access::write);
        copy_bytes(to.data, from.data, from.count() * from.element_size);
        release(to, access::write, written);
    } catch (...) {
        release(from, access::read, read);
        throw;
    }
    release(from, access::read, read);
}

} // namespace

void copy_elements(storage& to, storage& from)
{
    content_changes(to);
    if (to.dealt != from.dealt) return copy_common(to, from);
    peers* const others = to.dealt ? other_ranks(running::current()) : nullptr;
    if (!others) return copy_elements_here(to, from);
    running::current()->order.flush(); // others may wait for these calls
    together(*others, [&] {
        check_foreign_faults(from);
        copy_elements_here(to, from);
    });
}

void note_last_use(const storage& s) noexcept
{
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    running* const here = running::current();
    if (!m || !here || m->run.calls == 0 || !m->run.free) return;
    here->learnt.usage.note_end_of_run(m->run.first, m->run.calls);
    m->run = {m->nobody, 0};
}

void destroy_storage(storage* s) noexcept
{
    if (is_forked_from_runtime()) return; // the parent's: the memory goes with the process
    // A worker may not unregister; it leaves that to the library's next call.
    if (s->managed.load(std::memory_order_acquire) && inside_task()) {
        bury(s);
        return;
    }
    const patient_visit visit;
    end_late_accesses();
    note_last_use(*s);
    if (keep_storage(s)) return;
    destroy_now(s);
}

void destroy_now(storage* s) noexcept
{
    discard_managed(*s);
    host_storage& h = host_part(*s);
    if (h.borrowed) unpin_storage(*s);
    else free_block(h.memory);
    delete &h;
}

void pin_storage(storage& s) noexcept
{
    host_storage& h = host_part(s);
    if (!s.borrowed) {
        pin_block(h.memory);
    } else if (!h.borrowed_pinned && s.count() * s.element_size >= 4096) {
        h.borrowed_pinned = starpu_memory_pin(s.data, s.count() * s.element_size) == 0;
    }
}

void unpin_storage(storage& s) noexcept
{
    host_storage& h = host_part(s);
    unpin_block(h.memory);
    if (h.borrowed_pinned) starpu_memory_unpin(s.data, s.count() * s.element_size);
    h.borrowed_pinned = false;
}

void keep_fault(storage& s, const std::exception_ptr& what) noexcept
{
    try {
        host_part(s).left_fault = note_error(what);
    } catch (const std::bad_alloc&) {
        log_error("no memory to keep the error of a call for who reads its results");
    }
}

void fill_storage(storage& s, const void* element)
{
    const std::size_t n = s.count(), size = s.element_size;
    if (n == 0) return;
    // Copies move large blocks whatever the element's size: first a piece, then the piece over and over.
    const std::size_t piece = std::min(n, std::max<std::size_t>(1, std::size_t{32768} / size)),
                      piece_bytes = piece * size;
    for (std::size_t i = 0; i < piece; ++i) std::memcpy(s.data + i * size, element, size);
    if (n == piece) return;
    std::byte* const rest = s.data + piece_bytes;
    in_parts(n * size - piece_bytes, [=, from = s.data](std::size_t begin, std::size_t end) {
        for (std::size_t at = begin; at < end;) {
            const std::size_t in_piece = at % piece_bytes, some = std::min(piece_bytes - in_piece, end - at);
            std::memcpy(rest + at, from + in_piece, some);
            at += some;
        }
    });
}

void set_tiles(storage& s, std::size_t tiles)
{
    if (tiles == 0) throw error("set_tiles(0): a container has at least one tile");
    if (s.managed.load(std::memory_order_acquire))
        throw error(
            fmt::format("set_tiles({}): tasks already use this container with {} tiles; set the number right after "
                        "construction",
                        tiles, s.managed.load()->tile_count()));
    s.wanted_tiles =
        static_cast<std::uint32_t>(std::min<std::size_t>(tiles, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace skelrt::detail
