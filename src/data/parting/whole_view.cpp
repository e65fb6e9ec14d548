// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/faults.hpp"
#include "src/cluster/other_ranks.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/faults/foreign_faults.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/gathered.hpp"
#include "src/data/parting/opened_on_host.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/error.hpp>
#include <skelrt/local.hpp>
#include <skelrt/scalar.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <vector>

/// Host views of containers that are dealt out to ranks: the whole container in host memory, whose parts come over the
/// value plane.
namespace skelrt::detail
{

namespace
{

constexpr std::align_val_t alignment{64};

std::size_t bytes_of_whole(const storage& s) { return s.shape_rows * s.shape_cols * s.element_size; }

/// Memory of the view: the caller's own, where the container lies in it.
std::byte* make_room(const storage& s)
{
    if (s.borrowed) return s.data - s.first * s.element_size;
    const std::size_t bytes = bytes_of_whole(s);
    static std::atomic<bool> told{false};
    if (bytes > comfortable_bytes() / 4 && !told.exchange(true))
        log_warning("a host view of a container of {} elements takes {} bytes on this rank, for all of it; sk::local "
                    "shows this rank's part alone, and sk::host_at one rank the whole",
                    s.shape_rows * s.shape_cols, bytes);
    return static_cast<std::byte*>(::operator new(bytes, alignment));
}

void free_room(const storage& s, std::byte* room) noexcept
{
    if (!s.borrowed) ::operator delete(room, alignment);
}

gathered whole_in(storage& s, std::byte* room)
{
    const element_grid all = whole_grid(s.shape_rows, s.shape_cols);
    return {s, all, all, room, s.borrowed};
}

void record(peers& others, const storage& s, access how, const caller& where, int seen_by)
{
    const char* const name = seen_by == own_part ? "sk::local" : "sk::host";
    others.refuse_other_threads(name, where);
    const std::uint64_t shape = s.shape_rows * 0x9e3779b97f4a7c15u + s.shape_cols;
    others.calls.record(shape * 31 + static_cast<std::uint64_t>(how) * 4 + static_cast<std::uint64_t>(seen_by + 1),
                        name, where, s.shape_rows, s.shape_cols);
}

/// What this rank alone finds wrong, all throw, who wait for what they read; else the others hear of it in their next
/// wait.
managed_state* acquire_together(peers& others, storage& s, access how, const caller& where)
{
    const bool all_wait = how != access::write;
    const bool is_open = s.readers + s.writers > 0; // a view that is in the way is so on all ranks
    managed_state* acquired = nullptr;
    std::exception_ptr failed;
    try {
        if (all_wait) check_foreign_faults(s);
        acquired = acquire(s, how, where);
    } catch (...) {
        failed = std::current_exception();
        if (!all_wait && !is_open) tell_others(failed);
    }
    try {
        if (all_wait) throw_together(others, failed);
        if (failed) std::rethrow_exception(failed);
    } catch (...) {
        if (!failed) release(s, how, acquired);
        throw;
    }
    return acquired;
}

host_hold open_whole(peers& others, storage& s, access how, const caller& where, int seen_by)
{
    record(others, s, how, where, seen_by);
    if (how != access::read) content_changes(s);
    const bool here = seen_by == all_ranks || seen_by == others.rank();
    const auto release_it = [&](managed_state* m) { release(s, how, m); };
    managed_state* const acquired = acquire_together(others, s, how, where);
    std::byte* whole = nullptr;
    try {
        if (here) whole = make_room(s);
        if (how != access::write) gather(others, whole_in(s, whole), seen_by);
    } catch (...) {
        if (whole) free_room(s, whole);
        release_it(acquired);
        throw;
    }
    if (!here) release_it(acquired);
    return {whole, here ? acquired : nullptr};
}

} // namespace

namespace
{

/// Who only reads is nobody's business. Others have copies of what is written: they must know that these are old.
host_hold open_own(peers* others, storage& s, access how, const caller& where)
{
    if (others && how != access::read) {
        record(*others, s, how, where, own_part);
        content_changes(s);
    }
    return {s.data, acquire(s, how, where)};
}

} // namespace

host_hold open_on_host(storage& s, access how, const caller& where, int seen_by)
{
    if (!s.dealt) return {s.data, acquire(s, how, where)};
    if (seen_by == own_part) return open_own(other_ranks(running::current()), s, how, where);
    return open_whole(ranks_of_dealt("sk::host", where, s.shape_rows, s.shape_cols), s, how, where, seen_by);
}

void close_on_host(storage& s, access how, const host_hold& h) noexcept
{
    const bool of_part = h.data == s.data;
    if (!of_part && how != access::read) keep_own_elements(whole_in(s, h.data));
    if (!of_part) free_room(s, h.data);
    release(s, how, h.acquired);
}

bool sees_view(int rank, storage* data, const caller& where)
{
    const running* const r = running::current();
    if (r) refuse_in_items(*r, "sk::host_at", where);
    peers* const others = other_ranks(r);
    const int ranks = others ? others->size() : 1;
    if (rank < 0 || rank >= ranks)
        throw error(fmt::format("{}sk::host_at: rank {} of {}; ranks count from 0", place_text(where), rank, ranks));
    if (!others || others->rank() == rank) return true;
    if (data && data->dealt) open_on_host(*data, access::read, where, rank);
    return false;
}

void make_equal(void* value, std::size_t bytes)
{
    if (peers* const others = other_ranks(running::current()))
        broadcast(*others, {static_cast<std::byte*>(value), bytes});
}

namespace
{

void copy_value(storage& s, void* to)
{
    managed_state* const acquired = acquire(s, access::read);
    std::memcpy(to, s.data, s.element_size);
    release(s, access::read, acquired);
}

} // namespace

void read_value(storage& s, void* value)
{
    peers* const others = other_ranks(running::current());
    if (!others) return copy_value(s, value);
    std::vector<std::byte> mine(s.element_size + 1); // the last one says whether it failed
    std::exception_ptr failed;
    try {
        check_foreign_faults(s);
        copy_value(s, mine.data());
    } catch (...) {
        failed = std::current_exception();
        mine.back() = std::byte{1};
    }
    const std::vector<std::byte> all = all_gather(*others, mine);
    for (std::size_t end = mine.size(); end <= all.size(); end += mine.size())
        if (all[end - 1] != std::byte{0}) throw_together(*others, failed);
    std::memcpy(value, all.data(), s.element_size);
}

} // namespace skelrt::detail
