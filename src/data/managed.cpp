// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/managed.hpp"

#include "src/data/parting/held.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/data/range/tile_range.hpp"
#include "src/data/tile_handle.hpp"

#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/error.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <unordered_set>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::mutex live_guard;
std::unordered_set<managed_state*> live;

std::size_t tiles_of(const managed_state& m, std::size_t tile_elements)
{
    return (m.owner->count() + tile_elements - 1) / tile_elements;
}

/// Throws whatever register_tiles() would.
void prepare_tiles(managed_state& m, std::size_t tile_elements)
{
    check_handle_size(std::min(tile_elements, m.owner->count()));
    m.tiles.reserve(tiles_of(m, tile_elements));
    m.valid.reserve(tiles_of(m, tile_elements));
}

void register_tiles(managed_state& m) noexcept
{
    storage& s = *m.owner;
    const std::size_t count = tiles_of(m, m.tile_elements);
    m.tiles.resize(count);
    m.valid.assign(count, node_mask{1} << STARPU_MAIN_RAM);
    if (count > 1)
        m.range = make_tile_range(s.count() * s.element_size, m.tile_elements * s.element_size,
                                  running::current()->devices().range_bytes());
    m.in_range = m.range ? count : 0;
    for (std::size_t t = 0; t < count; ++t)
        register_tile(m.tiles[t], s.data + m.tile_begin(t) * s.element_size, m.tile_size(t), s.element_size, m.range,
                      t);
}

/// Gives the handles back to StarPU; `home` brings the data to the host first.
void unregister_tiles(managed_state& m, bool home) noexcept
{
    if (m.range) m.range->end();
    if (m.parts) m.parts->unregister(home);
    for (starpu_data_handle_t h : m.tiles) {
        if (home) starpu_data_unregister(h);
        else starpu_data_unregister_no_coherency(h);
    }
    if (m.replica) starpu_data_unregister_no_coherency(m.replica);
    m.tiles.clear();
    m.replica = nullptr;
    for (starpu_data_handle_t h : std::exchange(m.room, {}).tiles) starpu_data_unregister_no_coherency(h);
    m.range.reset();
    m.in_range = 0;
}

constexpr std::size_t least_tile = std::size_t{1} << 10; ///< bytes; dear functions make small tiles worthwhile

tile_limits limits_of(const running& e)
{
    constexpr std::size_t tiles_at_once = 32, least_of_policies = std::size_t{1} << 20;
    tile_limits limits;
    for (const target& t : e.devices().targets())
        if (t.memory > 0) limits.most = std::min(limits.most, std::max<std::size_t>(t.memory / tiles_at_once, 1));
    if (e.devices().policy_places())
        limits.least = least_of_policies; // their tasks take one tile each: enough for all cores
    limits.least = std::min(limits.least, limits.most);
    return limits;
}

} // namespace

managed_state& manage_with_tiles(storage& s, std::size_t tile_elements)
{
    auto made = std::make_unique<managed_state>();
    made->owner = &s;
    made->tile_elements = tile_elements;
    prepare_tiles(*made, tile_elements);
    {
        std::lock_guard lock(live_guard);
        live.insert(made.get());
    }
    register_tiles(*made);
    s.managed.store(made.get(), std::memory_order_release);
    return *made.release();
}

std::size_t tile_elements_for(const storage& s, std::size_t grain)
{
    const running& e = *running::current();
    const std::size_t forced = s.wanted_tiles ? s.wanted_tiles : e.devices().default_tiles();
    tile_limits limits = limits_of(e);
    if (forced == 0 && grain > 0) // at least so many
        limits.least = std::clamp<std::size_t>(s.count() * s.element_size / grain, least_tile, limits.least);
    return choose_tile_elements(s, forced, limits);
}

namespace
{

managed_state& manage_anew(storage& s, std::size_t grain)
{
    managed_state& m = manage_with_tiles(s, tile_elements_for(s, grain));
    // The storage keeps its own, which others may look at just now; from here on nobody does.
    if (const noted_error& left = host_part(s).left_fault) m.faults->add(0, exception_of(left));
    return m;
}

} // namespace

managed_state& manage(storage& s, std::size_t grain)
{
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    if (!m) return manage_anew(s, grain);
    if (m->parts) give_tiles_back(*m);
    return *m;
}

managed_state& manage_as_it_is(storage& s)
{
    managed_state* const known = s.managed.load(std::memory_order_acquire);
    managed_state& m = known ? *known : manage_anew(s, 0);
    pin_for_copies(m);
    return m;
}

managed_state& manage_pinned(storage& s, std::size_t grain)
{
    managed_state& m = manage(s, grain);
    pin_for_copies(m);
    return m;
}

void pin_for_copies(managed_state& m) noexcept
{
    if (running::current()->devices().has_cuda()) pin_storage(*m.owner);
}

void cut_again(managed_state& m, std::size_t tile_elements, bool keep)
{
    prepare_tiles(m, tile_elements);
    unregister_tiles(m, keep);
    std::atomic_ref(m.tile_elements)
        .store(tile_elements, std::memory_order_relaxed); // who plans a call looks without the lock
    m.moves = {};
    m.moved->take(); // of other tiles
    ++m.version;
    register_tiles(m);
}

namespace
{

struct copies_under_way {
    std::array<std::shared_ptr<std::atomic<long>>, 2> users; ///< of the original and of the copy
    std::atomic<std::size_t> tiles;                          ///< not yet there
};

/// Where the original is: on the host if it is there, for the way to a device is as long for the copy.
unsigned memory_of_copy(node_mask valid)
{
    if (valid == 0 || valid >> STARPU_MAIN_RAM & 1) return STARPU_MAIN_RAM;
    return static_cast<unsigned>(std::countr_zero(valid));
}

void tile_is_copied(void* of) noexcept
{
    auto* const all = static_cast<copies_under_way*>(of);
    if (all->tiles.fetch_sub(1) > 1) return;
    for (const auto& users : all->users) users->fetch_sub(1, std::memory_order_release);
    delete all;
}

/// The tiles of what held other elements before.
managed_state& written_anew(managed_state& m)
{
    forget_past(m);
    m.moved->take();
    ++m.version;
    return m;
}

} // namespace

bool copy_managed(storage& from, storage& to)
{
    const call_visit visit("copy of a container");
    running& e = visit.runtime();
    managed_state& source = *from.managed.load(std::memory_order_acquire);
    const auto lock = e.order.lock_when_unused([&] { return source.is_worked_on(false); });
    e.order.flush_locked(source.batch);
    if (source.parts) give_tiles_back(source);
    managed_state* const taken = to.managed.load(std::memory_order_acquire);
    if (taken && taken->tile_elements != source.tile_elements) return false;
    if (taken) e.order.flush_locked(taken->batch);
    managed_state& target = taken ? written_anew(*taken) : manage_with_tiles(to, source.tile_elements);
    pin_for_copies(target);
    to.wanted_tiles = from.wanted_tiles;
    auto& under_way = *new copies_under_way{{source.users, target.users}, source.tile_count()};
    for (const auto& users : under_way.users) users->fetch_add(1, std::memory_order_relaxed);
    for (std::size_t t = 0, n = source.tile_count(); t < n; ++t) {
        const unsigned node = memory_of_copy(source.valid[t]);
        e.order.copy_tile(
            {target.tiles[t], source.tiles[t], node, target.faults, target.healed, &tile_is_copied, &under_way});
        target.valid[t] = node_mask{1} << node;
    }
    target.copied_into = true;
    inherit_faults(target.inherited, source, e.order.calls_made + 1);
    return true;
}

bool should_be_at_hand(const managed_state& m)
{
    return m.tile_count() == 1 && m.is_at(0, STARPU_MAIN_RAM); // small data is what the host computes with
}

bool is_at_hand(const managed_state& m) { return m.tile_count() == 1 && is_valid_on(m.tiles[0], STARPU_MAIN_RAM); }

bool is_readable_here(const managed_state& m, std::size_t tile)
{
    const auto done = [](const auto& writer) { return writer->done(); };
    return !m.copied_into && m.is_at(tile, STARPU_MAIN_RAM) && std::ranges::all_of(m.writers, done) &&
           is_valid_on(m.tiles[tile], STARPU_MAIN_RAM);
}

void note_host_write(managed_state& m)
{
    claim_for_host(m.tiles[0], STARPU_RW);
    ++m.version;
    m.valid.assign(1, node_mask{1} << STARPU_MAIN_RAM);
    forget_past(m);
}

bool replica_is_stale(managed_state& m)
{
    if (!m.replica) register_handle(m.replica, nullptr, m.owner->count(), m.owner->element_size);
    else if (m.replica_version == m.version) return false;
    m.replica_version = m.version;
    return true;
}

void note_writer(managed_state& m, std::shared_ptr<const progress> call, bool all)
{
    if (all) {
        m.writers.clear();
        m.copied_into = false;
    } else {
        std::erase_if(m.writers, [](const auto& w) { return w->done(); });
    }
    m.writers.push_back(std::move(call));
}

void discard_managed(storage& s) noexcept
{
    managed_state* m = s.managed.exchange(nullptr);
    if (!m) return;
    {
        std::lock_guard lock(live_guard);
        live.erase(m);
    }
    unregister_tiles(*m, s.borrowed);
    delete m;
}

std::vector<managed_state*> take_all_managed() noexcept
{
    const std::lock_guard lock(live_guard);
    std::vector<managed_state*> all(live.begin(), live.end());
    live.clear();
    return all;
}

void bring_home(managed_state& m) noexcept
{
    storage& s = *m.owner;
    host_part(s).left_fault = nullptr;
    if (const std::exception_ptr what = find_fault(m, UINT64_MAX)) keep_fault(s, what);
    for (; m.acquired > 0; --m.acquired) release_tiles(m); // views that are still open go on in host memory
    release_parts_of(s);
    unregister_tiles(m, true);
    unpin_storage(s);
    s.managed.store(nullptr, std::memory_order_release);
    delete &m;
}

void settle_moves(managed_state& m) noexcept
{
    for (const moved_tiles::move& move : m.moved->take())
        if (move.version == m.version && move.tile < m.valid.size())
            m.valid[move.tile] = (m.valid[move.tile] & ~move.lost) | move.gained;
}

} // namespace skelrt::detail
