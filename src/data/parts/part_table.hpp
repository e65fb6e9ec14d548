// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/managed_state.hpp"
#include "src/data/parts/part_map.hpp"

#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skelrt::detail
{

/// A container that tasks use in parts: the atoms of its part_map, each a StarPU handle on its window of the one
/// allocation. A change of atoms is an empty task on the host: it reads the old handles and writes the new ones, whose
/// home is the same memory. So nothing is copied but what lies on a device, which comes home.
///
/// Lifetime: from the first task that uses a part to the next skeleton call, which wants tiles: give_tiles_back().
/// Locks: everything belongs to whoever holds the order's lock.
class part_table
{
public:
    struct atom {
        starpu_data_handle_t handle = nullptr;
        fault_state past;
        bool written = false; ///< by a task, since it was made: then its own log may get faults
        node_mask valid = node_mask{1} << STARPU_MAIN_RAM; ///< as managed_state::valid
    };
    /// Of what a task uses.
    struct used {
        std::vector<atom_id> atoms;
        std::vector<starpu_data_handle_t> gates; ///< it reads them, too
    };

    /// Takes the container's tiles for its atoms.
    explicit part_table(managed_state& m);

    /// Cuts and merges atoms until the part is a union of them; see part_map.
    used use(const rectangle& part, part_map::wish w);
    /// The atoms under it as they are: while the host has a view open, and nothing may be cut.
    used use_uncut(const rectangle& part, atom_use how);
    /// Exactly these.
    std::vector<atom_id> recut(std::span<const rectangle> atoms);
    /// For a user that is no task: what comes next on its atoms goes behind the gates.
    void pass_gates(const used& u);
    /// What used::gates held for the last task may go, once that is submitted.
    void forget_gates();

    atom& operator[](atom_id a) { return atoms_.at(a); }
    const rectangle& where(atom_id a) const { return map_[a]; }
    std::size_t size() const noexcept { return map_.size(); }

    std::vector<atom_id> all() const { return map_.all(); }
    std::vector<atom_id> under(const rectangle& part) const { return map_.under(part); }
    /// What readers of the atom inherit who take it over.
    void inherit(std::vector<fault_window>& into, const atom& from) const;
    /// From now on there are no gates that a writer would have to mind.
    void settle_all();
    /// Gives all handles back to StarPU; `home` brings the data to the host first.
    void unregister(bool home) noexcept;

private:
    void apply(const part_map::change& c);
    void make_atoms(const part_map::change& c);
    used take(part_map::used u);
    void make_gate(const part_map::change::gate& g);
    void settle(atom_id a);

    managed_state& m_;
    part_map map_;
    std::unordered_map<atom_id, atom> atoms_;
    std::unordered_map<gate_id, starpu_data_handle_t> gates_; ///< data of no bytes
    std::vector<gate_id> given_;
};

/// The container's parts, made now if tasks have not used any. Its calls are with StarPU.
part_table& parts_of(managed_state& m);
/// Whether atoms may change just now: nobody holds them without the lock.
bool may_be_cut(const managed_state& m) noexcept;
/// Tiles again, for skeleton calls. Throws error, and nothing has changed, while host views hold parts.
void give_tiles_back(managed_state& m);

} // namespace skelrt::detail
