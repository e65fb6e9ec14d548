#include "src/data/managed.hpp"
#include "src/data/kept.hpp"
#include "src/data/tile_handle.hpp"

#include "src/runtime/ended.hpp"
#include "src/runtime/engine.hpp"
#include "src/runtime/flush.hpp"

#include <skelrt/error.hpp>

#include <algorithm>
#include <atomic>
#include <unordered_set>

namespace skelrt::detail
{

namespace
{

std::mutex live_guard;
std::unordered_set<managed_state*> live;

std::mutex graveyard_guard;
std::vector<storage*> graveyard;
std::atomic<bool> graveyard_used{false};

std::atomic<bool> faults_seen{false};

void register_tiles(managed_state& m)
{
    storage& s = *m.owner;
    const std::size_t count = (s.count() + m.tile_elements - 1) / m.tile_elements;
    m.tiles.resize(count);
    m.valid.assign(count, node_mask{1} << STARPU_MAIN_RAM);
    for (std::size_t t = 0; t < count; ++t) {
        register_handle(m.tiles[t], s.data + m.tile_begin(t) * s.element_size, m.tile_size(t), s.element_size);
    }
}

/// Gives the handles back to StarPU; `home` brings the data to the host first.
void unregister_tiles(managed_state& m, bool home) noexcept
{
    for (starpu_data_handle_t h : m.tiles) {
        if (home) starpu_data_unregister(h);
        else starpu_data_unregister_no_coherency(h);
    }
    if (m.replica) starpu_data_unregister_no_coherency(m.replica);
    m.tiles.clear();
    m.replica = nullptr;
}

constexpr std::size_t least_tile = std::size_t{1} << 10; ///< bytes; dear functions make small tiles worthwhile

tile_limits limits_of(const engine& e)
{
    constexpr std::size_t tiles_at_once = 32, least_of_policies = std::size_t{1} << 20;
    tile_limits limits;
    for (const target& t : e.targets())
        if (t.memory > 0) limits.most = std::min(limits.most, std::max<std::size_t>(t.memory / tiles_at_once, 1));
    if (e.policy_places()) limits.least = least_of_policies; // their tasks take one tile each: enough for all cores
    limits.least = std::min(limits.least, limits.most);
    return limits;
}

} // namespace

managed_state& manage_with_tiles(storage& s, std::size_t tile_elements)
{
    auto* m = new managed_state;
    m->owner = &s;
    m->tile_elements = tile_elements;
    if (engine::current()->has_cuda()) pin_storage(s);
    register_tiles(*m);
    {
        std::lock_guard lock(live_guard);
        live.insert(m);
    }
    s.managed.store(m, std::memory_order_release);
    return *m;
}

std::size_t tile_elements_for(const storage& s, std::size_t grain)
{
    const engine& e = *engine::current();
    const std::size_t forced = s.wanted_tiles ? s.wanted_tiles : e.default_tiles();
    tile_limits limits = limits_of(e);
    if (forced == 0 && grain > 0) // at least so many
        limits.least = std::clamp<std::size_t>(s.count() * s.element_size / grain, least_tile, limits.least);
    return choose_tile_elements(s, forced, limits);
}

managed_state& manage(storage& s, std::size_t grain)
{
    if (managed_state* m = s.managed.load(std::memory_order_acquire)) return *m;
    managed_state& m = manage_with_tiles(s, tile_elements_for(s, grain));
    if (std::exception_ptr left = take_left_fault(s)) m.faults->add(0, left);
    return m;
}

void cut_again(managed_state& m, std::size_t tile_elements, bool keep)
{
    unregister_tiles(m, keep);
    std::atomic_ref(m.tile_elements)
        .store(tile_elements, std::memory_order_relaxed); // who plans a call looks without the lock
    m.moves = {};
    m.moved->take(); // of other tiles
    ++m.version;
    register_tiles(m);
}

void copy_managed(storage& from, storage& to)
{
    engine& e = require_engine("copy of a container");
    std::lock_guard lock(e.submission);
    flush_locked(e);
    managed_state& source = *from.managed.load(std::memory_order_acquire);
    managed_state& target = manage_with_tiles(to, source.tile_elements);
    to.wanted_tiles = from.wanted_tiles;
    for (std::size_t t = 0; t < source.tile_count(); ++t)
        starpu_data_cpy(target.tiles[t], source.tiles[t], 1, nullptr, nullptr);
    target.valid = source.valid;
    target.copied_into = true;
    target.inherited = source.inherited.log && !any_fault()
                           ? source.inherited
                           : fault_window{source.faults, source.healed, e.calls_made + 1};
}

starpu_data_handle_t cut_managed(storage& s, std::size_t n)
{
    managed_state& m = *s.managed.load(std::memory_order_acquire);
    const bool all = n == s.count();
    s.rows = 1;
    s.cols = n;
    s.whole_rows = false;
    s.inner = {};
    if (all) return nullptr;
    const std::size_t full = n / m.tile_elements, rest = n % m.tile_elements;
    starpu_data_handle_t ending = nullptr;
    for (std::size_t t = full; t < m.tiles.size(); ++t)
        if (t == full && rest > 0) ending = m.tiles[t];
        else starpu_data_unregister_no_coherency(m.tiles[t]);
    m.tiles.resize(full + (rest > 0 ? 1 : 0));
    m.valid.resize(m.tiles.size());
    if (rest > 0) {
        register_handle(m.tiles[full], s.data + m.tile_begin(full) * s.element_size, rest, s.element_size);
    }
    ++m.version;
    return ending;
}

bool should_be_at_hand(const managed_state& m)
{
    return m.tile_count() == 1 && (m.valid[0] >> STARPU_MAIN_RAM & 1); // small data is what the host computes with
}

bool is_at_hand(const managed_state& m) { return m.tile_count() == 1 && is_valid_on(m.tiles[0], STARPU_MAIN_RAM); }

bool is_readable_here(const managed_state& m, std::size_t tile)
{
    const auto done = [](const auto& writer) { return writer->done(); };
    return !m.copied_into && (m.valid[tile] >> STARPU_MAIN_RAM & 1) && std::ranges::all_of(m.writers, done) &&
           is_valid_on(m.tiles[tile], STARPU_MAIN_RAM);
}

void note_host_write(managed_state& m)
{
    claim_for_host(m.tiles[0], STARPU_RW);
    ++m.version;
    m.valid.assign(1, node_mask{1} << STARPU_MAIN_RAM);
    forget_past(m);
}

void forget_past(managed_state& m) noexcept
{
    m.moves = {};
    m.producer = m.nobody;
    m.run = {m.nobody, 0};
}

bool replica_is_stale(managed_state& m)
{
    if (!m.replica) register_handle(m.replica, nullptr, m.owner->count(), m.owner->element_size);
    else if (m.replica_version == m.version) return false;
    m.replica_version = m.version;
    return true;
}

void fault_log::add(std::uint64_t call, const std::exception_ptr& what) noexcept
{
    std::lock_guard lock(guard_);
    faults_.push_back({call, what});
    faults_seen.store(true, std::memory_order_release);
}

std::exception_ptr fault_log::find(std::uint64_t from, std::uint64_t before) noexcept
{
    std::lock_guard lock(guard_);
    for (const fault& f : faults_)
        if (f.call >= from && f.call < before) return f.what;
    return nullptr;
}

std::exception_ptr find_fault(const managed_state& m, std::uint64_t before) noexcept
{
    if (!any_fault()) return nullptr;
    if (std::exception_ptr what = m.faults->find(m.healed, before)) return what;
    return m.inherited.log ? m.inherited.log->find(m.inherited.from, m.inherited.before) : nullptr;
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

void heal(managed_state& m, std::uint64_t call) noexcept
{
    m.healed = call;
    m.inherited = {};
}

bool any_fault() noexcept { return faults_seen.load(std::memory_order_acquire); }

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

void bury(storage* s) noexcept
{
    std::lock_guard lock(graveyard_guard);
    graveyard.push_back(s);
    graveyard_used.store(true, std::memory_order_release);
}

void reap() noexcept
{
    let_ended_calls_go();
    if (!graveyard_used.load(std::memory_order_acquire)) return;
    std::vector<storage*> dead;
    {
        std::lock_guard lock(graveyard_guard);
        dead.swap(graveyard);
        graveyard_used.store(false, std::memory_order_release);
    }
    for (storage* s : dead) destroy_storage(s);
}

void release_all_managed() noexcept
{
    reap();
    drop_kept_storages();
    std::vector<managed_state*> all;
    {
        std::lock_guard lock(live_guard);
        all.assign(live.begin(), live.end());
        live.clear();
    }
    for (managed_state* m : all) {
        storage& s = *m->owner;
        if (std::exception_ptr what = find_fault(*m, UINT64_MAX)) keep_fault(s, what);
        for (; m->acquired > 0; --m->acquired) release_tiles(*m); // views that are still open go on in host memory
        unregister_tiles(*m, true);
        unpin_storage(s);
        s.managed.store(nullptr, std::memory_order_release);
        delete m;
    }
    drop_kept_blocks();
}

} // namespace skelrt::detail
