// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parts/rectangle.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skelrt::detail
{

using atom_id = std::uint32_t; ///< never used twice in one map
using gate_id = std::uint32_t; ///< never used twice in one map

/// What a task does with its part. Writers that commute run one at a time, in any order.
enum class atom_use : std::uint8_t { reads, writes, commutes };

/// A container that tasks use in parts is covered by disjoint rectangles, its atoms. Each has a handle of its own, and
/// what tasks list are whole atoms: so order by handles is order by elements. A part that cuts atoms changes them.
///
/// New atoms are written by the change that makes them, which reads the old ones: who uses a new atom waits for the
/// last writer of the old one, and not for its readers. Only writers have to wait for these, and read a gate: an empty
/// task writes the gate and the old atom, behind its readers. So the writers of two new atoms do not wait for each
/// other. Pure: knows no data and no devices. Not thread-safe.
class part_map
{
public:
    /// Splits that would make more atoms than this come after a merge of all: such tasks wait for more than they must.
    static constexpr std::size_t most_atoms_of_all = 4096;
    /// Who uses an atom with more gates than this reads them all, even if it writes nothing: data that is never
    /// written, but read in changing parts, would gather gates for ever.
    static constexpr std::size_t most_gates = 64;

    /// Atoms 0, 1, ... ; they cover all and do not overlap.
    explicit part_map(std::span<const rectangle> atoms);
    part_map(part_map&&) = default; // no copies: it points into itself
    part_map& operator=(part_map&&) = default;

    /// Old atoms give way to new ones over the same elements. The old ones are read, the new ones written, by an empty
    /// task on the host. Then come the gates: tasks that write the old atom and the gate.
    struct change {
        struct gate {
            gate_id number;
            atom_id of;
        };
        std::vector<atom_id> olds, heirs;
        std::vector<gate> gates; ///< for each old atom that tasks have read since it was written
    };
    struct wish {
        atom_use use = atom_use::reads;
        std::size_t most_atoms = 1; ///< more than these under the part are merged into one
    };
    struct used {
        std::vector<change> changes; ///< to be done in this order before the task
        std::vector<atom_id> atoms;  ///< what the task lists, in order of (row, col)
        std::vector<gate_id> gates;  ///< which the task reads, too: mostly as the first that writes an atom
    };

    /// The part is not empty and inside. Notes the read or write. O(1) for a part that is one atom; else, with most
    /// parts, O(log atoms) for each row above it where atoms start that may be high enough, and each atom under it. What
    /// was merged of atoms that were all used comes back as a whole with the first of them.
    used use(const rectangle& part, wish w);
    /// Exactly these, which cover all and do not overlap: one change for all atoms that differ. `atoms` has the order
    /// given. Counts as neither read nor write.
    used recut(std::span<const rectangle> atoms);

    /// Also of atoms that the last use() or recut() retired: those made and retired by one use() need handles, too.
    const rectangle& operator[](atom_id a) const { return atoms_.at(a).where; }
    std::size_t size() const noexcept { return exact_.size(); }
    std::vector<atom_id> all() const;                        ///< in order of (row, col)
    std::vector<atom_id> under(const rectangle& part) const; ///< those that overlap it, in order of (row, col)
    std::vector<gate_id> gates_of(atom_id a) const { return atoms_.at(a).gates; } ///< that its next writer has to read
    /// Whether any atom has this gate. What use() gave out and nobody awaits any more may go, with the atom it is of.
    bool awaited(gate_id g) const { return awaited_.contains(g); }

private:
    struct atom {
        atom_id id;
        rectangle where;
        bool read = false;          ///< by tasks since it was made or written
        bool used = false;          ///< by tasks since it was made
        std::vector<gate_id> gates; ///< sorted; of retired atoms whose readers its next writer has to wait for
        std::vector<rectangle> merged_from{}; ///< if tasks used each of these: it will likely be used so again
    };
    struct hash {
        std::size_t operator()(const rectangle& r) const noexcept;
    };

    static std::vector<rectangle> pieces_of(const atom& a, const rectangle& part);
    std::vector<atom*> find(const rectangle& part) const;
    void add(const rectangle& where, std::vector<gate_id> gates);
    void retire(atom& a);
    void forget_retired();
    change replace(const std::vector<atom*>& olds, std::span<const rectangle> news);
    change merge(const std::vector<atom*>& olds, const rectangle& part);
    void split(const std::vector<atom*>& atoms, const rectangle& part, std::vector<change>& changes);
    void note_use(atom& a, atom_use use, std::vector<gate_id>& gates);
    std::vector<gate_id> take_gates(atom& a);

    rectangle whole_;
    std::unordered_map<atom_id, atom> atoms_; ///< with those retired of late
    std::vector<atom_id> retired_;
    std::unordered_map<rectangle, atom*, hash> exact_;
    std::map<std::pair<std::size_t, std::size_t>, atom*> ordered_; ///< by row and column of the first element
    std::multiset<std::size_t> heights_;
    std::unordered_map<gate_id, std::size_t> awaited_; ///< by how many atoms
    atom_id next_atom_ = 0;
    gate_id next_gate_ = 0;
};

} // namespace skelrt::detail
