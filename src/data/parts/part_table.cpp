// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/part_table.hpp"

#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/data/room.hpp"
#include "src/model/times/simulated_models.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/simulated.hpp"
#include "src/runtime/starpu_task.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

namespace skelrt::detail
{

namespace
{

std::vector<rectangle> tiles_as_rectangles(const managed_state& m)
{
    const rectangle all = all_of(*m.owner);
    const std::size_t count = (all.size() + m.tile_elements - 1) / m.tile_elements;
    std::vector<rectangle> tiles;
    for (std::size_t t = 0; t < count; ++t) {
        const std::size_t first = m.tile_begin(t), n = m.tile_size(t);
        if (all.rows == 1) tiles.push_back({0, first, 1, n});
        else tiles.push_back({first / all.cols, 0, n / all.cols, all.cols});
    }
    return tiles;
}

starpu_codelet& cut_codelet()
{
    static starpu_codelet& cl = []() -> starpu_codelet& {
        auto& c = *new starpu_codelet;
        starpu_codelet_init(&c);
        c.name = "cut";
        c.nbuffers = STARPU_VARIABLE_NBUFFERS;
        c.cpu_funcs[0] = [](void* buffers[], void*) { const in_order order(buffers); };
        if constexpr (simulated) c.model = &model_of_copies();
        return c;
    }();
    return cl;
}

bool submit(starpu_task* t)
{
    if (submit_task(t) == 0) return true;
    discard(t);
    return false;
}

/// Data is never anywhere else than in the host's memory.
bool is_one_memory(const starpu_devices& devices)
{
    return std::ranges::all_of(devices.targets(), [](const target& t) { return t.node == STARPU_MAIN_RAM; });
}

using user_count = std::shared_ptr<std::atomic<long>>;

/// Until it has ended the container is in use: StarPU says of new handles that their data is at home, before it is.
void submit_as_user(starpu_task* t, const user_count& users)
{
    auto kept = std::make_unique<user_count>(users); // the container may be gone by then
    t->callback_func = [](void* count) {
        const std::unique_ptr<user_count> mine(static_cast<user_count*>(count));
        (*mine)->fetch_sub(1, std::memory_order_release);
    };
    t->callback_arg = kept.get();
    users->fetch_add(1, std::memory_order_relaxed);
    if (submit(t)) static_cast<void>(kept.release());
    else users->fetch_sub(1, std::memory_order_relaxed);
}

/// A task on the host that does nothing but use data. Where there is nothing to bring home it needs no worker, who may
/// be busy.
void submit_cut(std::span<const listed_handle> data, const user_count& users)
{
    const starpu_devices& devices = running::current()->devices();
    starpu_task* const t = starpu_task_create();
    list_handles(*t, data);
    if (is_one_memory(devices) && !order_is_watched()) {
        t->cl = &nowhere_codelet();
        submit(t);
        return;
    }
    t->cl = &cut_codelet();
    t->priority = STARPU_MAX_PRIO; // others wait for it, and it takes no time
    leave_to_leader(*t, devices);
    submit_as_user(t, users);
}

} // namespace

part_table::part_table(managed_state& m) : m_(m), map_(tiles_as_rectangles(m))
{
    const std::uint64_t next_call = running::current()->order.calls_made + 1;
    for (std::size_t t = 0; t < m.tiles.size(); ++t) {
        atom& a = atoms_[static_cast<atom_id>(t)];
        a.handle = m.tiles[t];
        a.valid = m.valid[t];
        inherit_faults(a.past.inherited, m, next_call);
        map_.use(map_[static_cast<atom_id>(t)], {.use = atom_use::reads}); // calls may read it still
    }
    m.tiles.clear();
    m.valid.clear();
    m.copied_into = true; // who waits for the data asks StarPU
    ++m.version;
    drop_besides(m);
}

part_table::used part_table::use(const rectangle& part, part_map::wish w) { return take(map_.use(part, w)); }

part_table::used part_table::use_uncut(const rectangle& part, atom_use how)
{
    used all;
    for (const atom_id a : map_.under(part)) {
        const used one = use(map_[a], {.use = how});
        all.atoms.insert(all.atoms.end(), one.atoms.begin(), one.atoms.end());
        for (const starpu_data_handle_t g : one.gates)
            if (std::ranges::find(all.gates, g) == all.gates.end()) all.gates.push_back(g);
    }
    return all;
}

part_table::used part_table::take(part_map::used u)
{
    for (const part_map::change& c : u.changes) make_atoms(c);
    for (const part_map::change& c : u.changes) apply(c);
    used result{std::move(u.atoms), {}};
    for (const gate_id g : u.gates) {
        result.gates.push_back(gates_.at(g));
        given_.push_back(g);
    }
    return result;
}

std::vector<atom_id> part_table::recut(std::span<const rectangle> atoms) { return take(map_.recut(atoms)).atoms; }

void part_table::pass_gates(const used& u)
{
    if (u.gates.empty()) return;
    std::vector<listed_handle> data;
    for (const atom_id a : u.atoms) data.push_back({atoms_.at(a).handle, STARPU_RW});
    for (const starpu_data_handle_t g : u.gates) data.push_back({g, STARPU_R});
    submit_cut(data, m_.users);
}

void part_table::forget_gates()
{
    for (const gate_id g : given_)
        if (const auto at = gates_.find(g); at != gates_.end() && !map_.awaited(g)) {
            starpu_data_unregister_submit(at->second);
            gates_.erase(at);
        }
    given_.clear();
}

void part_table::make_atoms(const part_map::change& c)
{
    for (const atom_id h : c.heirs) register_part(atoms_[h].handle, *m_.owner, map_[h]);
}

void part_table::inherit(std::vector<fault_window>& into, const atom& from) const
{
    const auto add = [&](const fault_window& w) {
        const auto same = [&](const fault_window& o) {
            return o.log == w.log && o.from == w.from && o.before == w.before;
        };
        if (std::ranges::none_of(into, same)) into.push_back(w);
    };
    for (const fault_window& w : from.past.inherited) add(w);
    if (from.written) add({from.past.faults, from.past.healed, running::current()->order.calls_made + 1});
}

/// Each new atom waits for the writers of those that it lies over, and no others: a task for each, or one for those that
/// come of the same old atom.
void part_table::apply(const part_map::change& c)
{
    constexpr std::size_t most_listed = STARPU_NMAXBUFS; // what StarPU's tasks have room for
    std::vector<listed_handle> data;
    for (const atom_id h : c.heirs) {
        if (!data.empty() && (c.olds.size() > 1 || data.size() == most_listed))
            submit_cut(std::exchange(data, {}), m_.users);
        atom& heir = atoms_.at(h);
        data.push_back({heir.handle, STARPU_W});
        for (const atom_id o : c.olds) {
            if (!overlap(map_[o], map_[h])) continue;
            const atom& old = atoms_.at(o);
            if (c.olds.size() > 1 || data.size() == 1) data.push_back({old.handle, STARPU_R});
            inherit(heir.past.inherited, old);
        }
    }
    if (!data.empty()) submit_cut(data, m_.users);
    for (const part_map::change::gate& g : c.gates) make_gate(g);
    for (const atom_id o : c.olds) {
        starpu_data_unregister_submit(atoms_.at(o).handle);
        atoms_.erase(o);
    }
}

void part_table::make_gate(const part_map::change::gate& g)
{
    starpu_data_handle_t& gate = gates_[g.number];
    starpu_void_data_register(&gate);
    const listed_handle data[] = {{atoms_.at(g.of).handle, STARPU_W}, {gate, STARPU_W}};
    starpu_task* const t = starpu_task_create();
    t->cl = &nowhere_codelet();
    list_handles(*t, data);
    submit(t);
}

/// Its next writer need not mind gates.
void part_table::settle(atom_id a)
{
    const std::vector<gate_id> gates = map_.gates_of(a);
    if (gates.empty()) return;
    std::vector<listed_handle> data{{atoms_.at(a).handle, STARPU_RW}};
    for (const starpu_data_handle_t g : use(map_[a], {.use = atom_use::writes}).gates) data.push_back({g, STARPU_R});
    submit_cut(data, m_.users);
    atoms_.at(a).valid = node_mask{1} << STARPU_MAIN_RAM;
    forget_gates();
}

void part_table::settle_all()
{
    for (const atom_id a : map_.all()) settle(a);
}

void part_table::unregister(bool home) noexcept
{
    for (const auto& [id, a] : atoms_) {
        if (home) starpu_data_unregister(a.handle);
        else starpu_data_unregister_no_coherency(a.handle);
    }
    for (const auto& [id, gate] : gates_) starpu_data_unregister_no_coherency(gate);
    atoms_.clear();
    gates_.clear();
}

part_table& parts_of(managed_state& m)
{
    if (!m.parts) m.parts = std::make_shared<part_table>(m);
    return *m.parts;
}

bool may_be_cut(const managed_state& m) noexcept
{
    // Where there are many atoms a cut may begin with a merge of all, also of what views of parts hold.
    const bool may_merge = m.parts && m.parts->size() > part_map::most_atoms_of_all / 2;
    return m.acquired == 0 && m.watched == 0 && !(may_merge && are_parts_held(*m.owner));
}

void give_tiles_back(managed_state& m)
{
    if (are_parts_held(*m.owner)) throw_part_open(*m.owner);
    const std::shared_ptr<part_table> parts = m.parts;
    const std::vector<atom_id> tiles = parts->recut(tiles_as_rectangles(m));
    parts->settle_all();
    std::vector<fault_window> past;
    for (const atom_id t : tiles) {
        const part_table::atom& a = (*parts)[t];
        m.tiles.push_back(a.handle);
        m.valid.push_back(a.valid);
        parts->inherit(past, a);
    }
    note_tiles_in_range(m);
    heal(m, running::current()->order.calls_made + 1);
    m.inherited = std::move(past);
    m.copied_into = true; // who waits for the data asks StarPU
    ++m.version;
    m.moves = {};
    m.parts.reset();
}

} // namespace skelrt::detail
