#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/memory/memory.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/parting/opened_on_host.hpp"
#include "src/data/parts/part_copies.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/error.hpp>
#include <skelrt/local.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <list>
#include <new>
#include <span>
#include <vector>

/// Host views of containers that are dealt out to ranks: the whole container in host memory, whose parts come over the
/// value plane.
namespace skelrt::detail
{

namespace
{

constexpr std::align_val_t alignment{64};

peers* other_ranks() noexcept
{
    const running* const r = running::current();
    return r ? r->cluster : nullptr;
}

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

/// Where a part lies in the whole.
std::vector<numbered_run> places_of(const storage& s, const element_grid& part)
{
    return common_elements(part, whole_grid(s.shape_rows, s.shape_cols));
}

void copy_to_whole(std::byte* whole, const std::byte* part, const std::vector<numbered_run>& places, std::size_t size)
{
    for (const numbered_run& r : places) std::memcpy(whole + r.in_other * size, part + r.in_one * size, r.count * size);
}

void copy_to_part(std::byte* part, const std::byte* whole, const std::vector<numbered_run>& places, std::size_t size)
{
    for (const numbered_run& r : places) std::memcpy(part + r.in_one * size, whole + r.in_other * size, r.count * size);
}

/// A part on its way to the whole: straight there, if it is one run of it.
class arriving_part
{
public:
    arriving_part(const storage& s, int rank, std::byte* whole)
        : whole_(whole), size_(s.element_size), places_(places_of(s, held_grid(*s.dealt, static_cast<unsigned>(rank)))),
          bytes_(s.dealt->count_of(static_cast<unsigned>(rank)) * size_)
    {
        if (places_.size() > 1) room_.resize(bytes_);
    }
    bool is_empty() const noexcept { return bytes_ == 0; }
    std::span<std::byte> room()
    {
        return places_.size() > 1 ? std::span(room_) : std::span(whole_ + places_[0].in_other * size_, bytes_);
    }
    void settle() const
    {
        if (places_.size() > 1) copy_to_whole(whole_, room_.data(), places_, size_);
    }

private:
    std::byte* whole_;
    std::size_t size_;
    std::vector<numbered_run> places_;
    std::size_t bytes_;
    std::vector<std::byte> room_;
};

/// Each rank's part to all who see it. `whole` null: this rank does not.
void send_parts(peers& others, const storage& s, std::byte* whole, int seen_by)
{
    const int me = others.rank();
    const auto sees = [&](int rank) { return seen_by == all_ranks || seen_by == rank; };
    const std::span<const std::byte> mine(s.data, s.count() * s.element_size);
    std::vector<outgoing> out;
    std::vector<incoming> in;
    std::list<arriving_part> parts;
    for (int rank = 0; rank < others.size(); ++rank) {
        if (rank == me) continue;
        if (sees(rank) && !mine.empty()) out.push_back({rank, mine});
        if (!whole) continue;
        arriving_part& theirs = parts.emplace_back(s, rank, whole);
        if (!theirs.is_empty()) in.push_back({rank, theirs.room()});
    }
    others.swap_values(out, in);
    for (const arriving_part& p : parts) p.settle();
}

void record(peers& others, const storage& s, access how, const caller& where, int seen_by)
{
    const char* const name = "sk::host";
    others.refuse_other_threads(name, where);
    const std::uint64_t shape = s.shape_rows * 0x9e3779b97f4a7c15u + s.shape_cols;
    others.calls.record(shape * 31 + static_cast<std::uint64_t>(how) * 4 + static_cast<std::uint64_t>(seen_by + 1),
                        name, where, s.shape_rows, s.shape_cols);
}

/// What this rank alone finds wrong, all throw who wait; else the others hear of it in their next wait.
managed_state* acquire_together(peers& others, storage& s, access how, const caller& where, bool all_wait)
{
    managed_state* acquired = nullptr;
    std::exception_ptr failed;
    try {
        acquired = acquire(s, how, where);
    } catch (...) {
        failed = std::current_exception();
        if (!all_wait) tell_others(failed);
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
    if (how != access::read) forget_copies(s);
    const bool here = seen_by == all_ranks || seen_by == others.rank();
    const auto release_it = [&](managed_state* m) { release(s, how, m); };
    managed_state* const acquired =
        acquire_together(others, s, how, where, how != access::write && seen_by == all_ranks);
    std::byte* whole = nullptr;
    try {
        if (here) whole = make_room(s);
        if (how != access::write) {
            if (whole && !s.borrowed) copy_to_whole(whole, s.data, places_of(s, grid_of(s)), s.element_size);
            send_parts(others, s, whole, seen_by);
        }
    } catch (...) {
        if (whole) free_room(s, whole);
        release_it(acquired);
        throw;
    }
    if (!here) release_it(acquired);
    return {whole, here ? acquired : nullptr};
}

/// What all ranks do, and has no place in the program, lets the copies go; a rank that writes by itself would leave the
/// others with old ones.
void prepare_own_write(storage& s, const caller& where)
{
    if (where.line > 0 && has_copies(s))
        throw error(fmt::format("{}sk::local, to write: tasks of other ranks have copies of elements of this container "
                                "({} x {}), and would not hear of it; sk::barrier() on all ranks lets these go first",
                                place_text(where), s.shape_rows, s.shape_cols));
    forget_copies(s);
}

} // namespace

host_hold open_on_host(storage& s, access how, const caller& where, int seen_by)
{
    if (!s.dealt || seen_by == own_part) {
        if (s.dealt && how != access::read) prepare_own_write(s, where);
        return {s.data, acquire(s, how, where)};
    }
    peers* const others = other_ranks();
    if (!others)
        throw error(fmt::format("{}sk::host: this container of {} elements was dealt out to {} ranks, and their "
                                "sk::runtime has ended; look at it before that, or at this rank's part: sk::local(x)",
                                where.line > 0 ? place_text(where) : "", s.shape_rows * s.shape_cols,
                                s.dealt->ranks()));
    return open_whole(*others, s, how, where, seen_by);
}

void close_on_host(storage& s, access how, const host_hold& h) noexcept
{
    const bool of_part = h.data == s.data;
    if (!of_part && how != access::read && !s.borrowed)
        copy_to_part(s.data, h.data, places_of(s, grid_of(s)), s.element_size);
    if (!of_part) free_room(s, h.data);
    release(s, how, h.acquired);
}

bool sees_view(int rank, storage* data, const caller& where)
{
    peers* const others = other_ranks();
    const int ranks = others ? others->size() : 1;
    if (rank < 0 || rank >= ranks)
        throw error(fmt::format("{}sk::host_at: rank {} of {}; ranks count from 0", place_text(where), rank, ranks));
    if (!others || others->rank() == rank) return true;
    if (data && data->dealt) open_on_host(*data, access::read, where, rank);
    return false;
}

void make_equal(void* value, std::size_t bytes)
{
    if (peers* const others = other_ranks()) broadcast(*others, {static_cast<std::byte*>(value), bytes});
}

void copy_common(storage& to, storage& from)
{
    const opened_on_host read(from, access::read, all_ranks);
    if (to.count() == 0) return;
    const opened_on_host written(to, access::read_write);
    const std::size_t size = to.element_size, first_row = to.first / to.shape_cols, col = to.first % to.shape_cols;
    if (first_row >= from.shape_rows || col >= from.shape_cols) return;
    const std::size_t rows = std::min(to.rows, from.shape_rows - first_row);
    const std::size_t cols = std::min(to.cols, from.shape_cols - col);
    for (std::size_t r = 0; r < rows; ++r)
        std::memcpy(written.data() + r * to.cols * size, read.data() + ((first_row + r) * from.shape_cols + col) * size,
                    cols * size);
}

} // namespace skelrt::detail
