// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/memory/kept.hpp"

#include "src/data/faults/races.hpp"
#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/room.hpp"
#include "src/runtime/running.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

namespace
{

std::mutex guard;
std::vector<storage*> kept;                ///< the oldest first
constexpr std::size_t most_storages = 256; ///< all are looked at for each result
std::size_t kept_bytes = 0;
std::vector<storage*> kept_scalars;
constexpr std::size_t most_scalars = 256;

std::size_t bytes_of(const storage& s) { return s.count() * s.element_size; }

/// An eighth of the smallest memory that holds them.
std::size_t most_bytes(const running& e)
{
    std::size_t least = 2 * comfortable_bytes();
    for (const target& t : e.devices().targets())
        if (t.memory > 0) least = std::min(least, t.memory);
    return least / 8;
}

bool has_shape(const storage& s, const held_part& p, std::uint32_t element_size, bool whole_rows)
{
    return part_of(s) == p && s.element_size == element_size && s.whole_rows == whole_rows;
}

bool has_tiles(const storage& s, std::size_t elements)
{
    return s.managed.load(std::memory_order_relaxed)->tile_elements == elements;
}

bool is_like_new(storage& s)
{
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    return m && !s.borrowed && s.wanted_tiles == 0 && m->acquired == 0 && m->inherited.empty() && m->faults->empty() &&
           !m->parts && !host_part(s).foreign;
}

bool is_cut(storage& s) noexcept
{
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    return m && !m->room.tiles.empty();
}

bool keep_scalar(storage* s) noexcept
{
    if (!is_like_new(*s)) return false;
    forget_past(*s->managed.load(std::memory_order_relaxed));
    std::lock_guard lock(guard);
    if (kept_scalars.size() == most_scalars) return false;
    kept_scalars.push_back(s);
    return true;
}

void erase(std::vector<storage*>::iterator at)
{
    kept_bytes -= bytes_of(**at);
    kept.erase(at);
}

} // namespace

namespace
{

/// So many of a shape no result waits for: with several devices, one call may run beside another that is not done yet.
std::ptrdiff_t left_to_calls()
{
    const running* const r = running::current();
    return !r || r->devices().cores_alone() ? 0 : static_cast<std::ptrdiff_t>(r->devices().targets().size());
}

bool is_in_use(const storage& s) noexcept { return s.references.load(std::memory_order_acquire) > 1; }

/// Calls may hold it still.
void give_up(storage* s) noexcept
{
    if (s->references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_now(s);
}

/// Takes over one reference.
bool keep(storage& s, const running& r) noexcept
{
    std::vector<storage*> old;
    {
        std::lock_guard lock(guard);
        const std::size_t most = most_bytes(r);
        if (bytes_of(s) > most) return false;
        while (kept_bytes + bytes_of(s) > most || kept.size() == most_storages) {
            old.push_back(kept.front());
            erase(kept.begin());
        }
        kept.push_back(&s);
        kept_bytes += bytes_of(s);
    }
    for (storage* o : old) give_up(o);
    return true;
}

} // namespace

bool may_be_kept(std::size_t bytes) noexcept
{
    const running* const r = running::current();
    return r && bytes >= worth_keeping && bytes <= most_bytes(*r);
}

bool keep_storage(storage* s) noexcept
{
    content_changes(*s);
    const running* const r = running::current();
    if (r && s->count() == 1 && !s->whole_rows && !s->dealt && !is_cut(*s)) return keep_scalar(s);
    if (!r || !is_like_new(*s)) return false;
    restore_room(*s);
    if (bytes_of(*s) < worth_keeping) return false;
    s->references.store(1, std::memory_order_relaxed);
    return keep(*s, *r);
}

bool keep_while_calls_use(storage& s) noexcept
{
    const running* const r = running::current();
    const std::uint32_t calls = host_part(s).held_by_calls.load(std::memory_order_acquire);
    const bool only_calls = calls > 0 && s.references.load(std::memory_order_acquire) == calls + 1;
    if (r && only_calls) note_last_use(s);
    if (!r || !only_calls || is_cut(s) || bytes_of(s) < worth_keeping || !is_like_new(s)) return false;
    content_changes(s);
    s.references.fetch_add(1, std::memory_order_relaxed);
    if (keep(s, *r)) return true;
    s.references.fetch_sub(1, std::memory_order_relaxed); // the caller has one, too
    return false;
}

storage* take_kept_storage(const held_part& p, std::uint32_t element_size, bool whole_rows,
                           std::size_t tile_elements) noexcept
{
    if (p.count() * element_size < worth_keeping) return nullptr;
    std::lock_guard lock(guard);
    const auto fits = [&](const storage* s) {
        return has_shape(*s, p, element_size, whole_rows) && (tile_elements == 0 || has_tiles(*s, tile_elements));
    };
    auto at = std::ranges::find_if(kept, [&](const storage* s) { return fits(s) && !is_in_use(*s); });
    if (at == kept.end() && std::ranges::count_if(kept, fits) > left_to_calls()) at = std::ranges::find_if(kept, fits);
    if (at == kept.end()) return nullptr;
    storage* const s = *at;
    erase(at);
    s->inner = {};
    watch_uses(*s);
    host_part(*s).just_taken = true;
    return s;
}

bool exchange_for_kept(storage& s, std::size_t tile_elements) noexcept
{
    std::lock_guard lock(guard);
    const auto fits = [&](const storage* k) {
        return !is_in_use(*k) && has_shape(*k, part_of(s), s.element_size, s.whole_rows) &&
               has_tiles(*k, tile_elements);
    };
    const auto at = std::ranges::find_if(kept, fits);
    if (at == kept.end()) return false;
    storage& other = **at;
    std::swap(s.data, other.data);
    std::swap(host_part(s).memory, host_part(other).memory);
    managed_state* const mine = s.managed.load(std::memory_order_relaxed);
    managed_state* const theirs = other.managed.load(std::memory_order_relaxed);
    mine->owner = &other;
    theirs->owner = &s;
    other.managed.store(mine, std::memory_order_release);
    s.managed.store(theirs, std::memory_order_release);
    return true;
}

void give_memory_of_kept(const held_part& p, std::uint32_t element_size, bool whole_rows) noexcept
{
    constexpr std::ptrdiff_t left_to_results = 4; // loops over a few shapes come to each of them again
    storage* given = nullptr;
    {
        std::lock_guard lock(guard);
        const auto would_do = [&](storage* s) {
            return !is_in_use(*s) && s->managed.load(std::memory_order_acquire)->is_idle() &&
                   suits(host_part(*s).memory, p.count() * element_size);
        };
        const auto same = [&](storage* s) { return has_shape(*s, p, element_size, whole_rows) && would_do(s); };
        auto at = std::ranges::find_if(kept, same);
        if (at == kept.end() && std::ranges::count_if(kept, would_do) > left_to_results)
            at = std::ranges::find_if(kept, would_do);
        if (at == kept.end()) return;
        given = *at;
        erase(at);
    }
    give_up(given);
}

storage* take_kept_scalar(std::uint32_t element_size) noexcept
{
    std::lock_guard lock(guard);
    const auto fits = [&](const storage* s) { return s->element_size == element_size; };
    const auto at = std::ranges::find_if(kept_scalars.rbegin(), kept_scalars.rend(), fits);
    if (at == kept_scalars.rend()) return nullptr;
    storage* const s = *at;
    *at = kept_scalars.back();
    kept_scalars.pop_back();
    s->inner = {};
    watch_uses(*s);
    s->references.store(1, std::memory_order_relaxed);
    return s;
}

void drop_kept_storages() noexcept
{
    std::vector<storage*> all, scalars;
    {
        std::lock_guard lock(guard);
        all.swap(kept);
        scalars.swap(kept_scalars);
        kept_bytes = 0;
    }
    for (storage* s : all) give_up(s);
    for (storage* s : scalars) destroy_now(s);
}

} // namespace skelrt::detail
