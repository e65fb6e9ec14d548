// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/place_parts.hpp"

#include "src/data/faults/races.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/program/place_text.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace skelrt::detail
{

caller place_of(const task_request& r)
{
    for (const task_part& p : r.parts)
        if (p.where.line > 0) return p.where;
    return {};
}

bool writes(part_use use) noexcept { return use != part_use::in && use != part_use::scratch; }
bool reads(part_use use) noexcept { return use == part_use::in || use == part_use::inout || use == part_use::commute; }

namespace
{

std::string title_of(const task_part& p) { return place_text(p.where) + "sk::task"; }

std::string rectangle_text(const rectangle& r)
{
    return fmt::format("{} x {} at ({}, {})", r.rows, r.cols, r.row, r.col);
}

double bytes_of(const task_part& p) noexcept
{
    return static_cast<double>(p.place.rows) * static_cast<double>(p.place.cols) * p.element_size;
}

bool is_of_data(const task_part& p) noexcept
{
    return p.data && p.use != part_use::scratch && p.use != part_use::reduction;
}

starpu_data_access_mode mode_of(part_use use) noexcept
{
    switch (use) {
    case part_use::in:
        return STARPU_R;
    case part_use::out:
        return STARPU_W;
    case part_use::commute:
        return static_cast<starpu_data_access_mode>(STARPU_RW | STARPU_COMMUTE);
    default:
        return STARPU_RW;
    }
}

atom_use use_of_atoms(part_use use) noexcept
{
    if (use == part_use::commute) return atom_use::commutes;
    return writes(use) ? atom_use::writes : atom_use::reads;
}

/// One handle for two parts.
starpu_data_access_mode both(starpu_data_access_mode a, starpu_data_access_mode b) noexcept
{
    if (a == b) return a;
    return static_cast<starpu_data_access_mode>((a | b) & ~STARPU_COMMUTE);
}

/// What the task reads of it, and what it leaves there.
void note_use(task_record& t, fault_state& past, part_use use)
{
    if (reads(use)) {
        t.reads.push_back({past.faults, past.healed, t.number});
        t.reads.insert(t.reads.end(), past.inherited.begin(), past.inherited.end());
    }
    if (!writes(use)) return;
    heal(past, t.number);
    t.writes.push_back(past.faults);
}

void note_written(managed_state& m)
{
    ++m.version;
    forget_past(m);
}

} // namespace

rectangle rectangle_among(const rectangle& all, const task_part& p)
{
    if (!is_of_data(p) || p.place.rows * p.place.cols == 0) return {};
    const placement& part = p.place;
    const rectangle r = part_at(all, part);
    const bool back = goes_back(part.ld) || goes_back(part.stride);
    const bool as_it_is = r.rows == part.rows && r.cols == part.cols && !back;
    const bool column = part.rows == 1 && r.cols == 1 && r.rows == part.cols && !back;
    if (!as_it_is && !column)
        throw error(fmt::format("{}: a view of {} x {} elements is no rectangle of its container; give the task the "
                                "rows or the container around it, of a tensor t.flat().row(i)",
                                title_of(p), part.rows, part.cols));
    return r;
}

bool check_shared_elements(std::span<const task_part> parts, std::span<const rectangle> where)
{
    bool reads_share = false;
    for (std::size_t j = 0; j < parts.size(); ++j)
        for (std::size_t i = 0; i < j; ++i) {
            if (parts[i].data.get() != parts[j].data.get() || !overlap(where[i], where[j])) continue;
            if (writes(parts[i].use) || writes(parts[j].use))
                throw error(fmt::format("{}: its parts {} ({}) and {} ({}) of one container share elements, and one of "
                                        "them is written; list the elements once, as sk::inout",
                                        title_of(parts[j]), i + 1, rectangle_text(where[i]), j + 1,
                                        rectangle_text(where[j])));
            reads_share = reads_share || where[i] != where[j];
        }
    return reads_share;
}

task_parts::task_parts(std::span<const task_part> parts) : parts_(parts), where_(parts.size())
{
    for (std::size_t k = 0; k < parts.size(); ++k)
        where_[k] = parts[k].data ? rectangle_among(all_of(*parts[k].data), parts[k]) : rectangle{};
    share_reads_ = check_shared_elements(parts, {where_.data(), where_.size()});
}

const storage* task_parts::viewed() const noexcept
{
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        const storage* const s = parts_[k].data.get();
        if (s && is_viewed(*s, is_of_data(parts_[k]) ? where_[k] : all_of(*s), writes(parts_[k].use))) return s;
    }
    return nullptr;
}

bool task_parts::are_held() const
{
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        if (where_[k].size() == 0) continue;
        const managed_state* const m = parts_[k].data->managed.load(std::memory_order_acquire);
        if (!m || may_be_cut(*m)) continue;
        const std::size_t pieces = m->parts ? m->parts->under(where_[k]).size() : m->tile_count();
        if (pieces > 1) return true;
    }
    return false;
}

double task_parts::bytes() const noexcept
{
    double all = 0;
    for (const task_part& p : parts_) all += bytes_of(p);
    return all;
}

std::size_t task_parts::element_size() const noexcept
{
    const auto largest = std::ranges::max_element(parts_, {}, &bytes_of);
    return largest == parts_.end() ? 0 : largest->element_size;
}

void task_parts::check_races(const std::string& by) const
{
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        const part_use use = parts_[k].use;
        if (!parts_[k].data || use == part_use::scratch) continue;
        const bool commutes = use == part_use::commute || use == part_use::reduction;
        const data_use how = commutes ? data_use::commutes : writes(use) ? data_use::writes : data_use::reads;
        detail::check_races(*parts_[k].data, use == part_use::reduction ? all_of(*parts_[k].data) : where_[k], how, by);
    }
}

namespace
{

/// The parts of one task while they are placed.
class placing
{
public:
    placing(task_record& t, std::span<const task_part> parts, std::span<const rectangle> where, std::size_t most_atoms)
        : task_(t), parts_(parts), where_(where), most_atoms_(most_atoms)
    {
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (is_empty(k)) continue;
            managed_state& m = manage_as_it_is(*parts[k].data);
            t.keep(parts[k].data);
            t.use(m);
        }
    }

    /// What is cut for one part may cut another one's atoms: once more then, until nothing changes.
    void cut()
    {
        bool again = true;
        for (std::size_t round = 0; again && round <= parts_.size(); ++round) {
            again = false;
            for (std::size_t k = 0; k < parts_.size(); ++k)
                if (!is_empty(k) && !is_whole(k)) again = cut(k) || again;
        }
    }

    void list(result_place results)
    {
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            placed_part at = shape_of(k);
            if (!is_empty(k)) at.buffer = is_whole(k) ? list_whole(k, results) : list_atoms(k, results.node, at);
            task_.parts.push_back(at);
        }
        for (starpu_data_handle_t g : gates_) task_.listed.push_back({g, STARPU_R});
    }

private:
    managed_state& state(std::size_t k) const { return *parts_[k].data->managed.load(std::memory_order_acquire); }
    bool is_empty(std::size_t k) const { return where_[k].size() == 0; }
    /// A container in one tile, all of which the task uses, is used as skeleton calls do.
    bool is_whole(std::size_t k) const
    {
        return !state(k).parts && state(k).tile_count() == 1 && where_[k] == all_of(*parts_[k].data);
    }

    /// Whether the atoms are others than before.
    bool cut(std::size_t k)
    {
        used_.resize(parts_.size()); // none if all parts are whole, as most are
        part_table& atoms = parts_of(state(k));
        const atom_use how = use_of_atoms(parts_[k].use);
        part_table::used now =
            may_be_cut(state(k)) ? atoms.use(where_[k], {how, most_atoms_}) : atoms.use_uncut(where_[k], how);
        for (starpu_data_handle_t g : now.gates)
            if (std::ranges::find(gates_, g) == gates_.end()) gates_.push_back(g);
        return std::exchange(used_[k], std::move(now.atoms)) != used_[k];
    }

    placed_part shape_of(std::size_t k) const
    {
        const task_part& p = parts_[k];
        if (is_empty(k)) return {.rows = p.place.rows, .cols = p.place.cols, .ld = p.place.cols};
        const std::size_t ld = all_of(*p.data).cols;
        std::byte* const first = p.data->data + (where_[k].row * ld + where_[k].col) * p.element_size;
        return {.rows = where_[k].rows,
                .cols = where_[k].cols,
                .ld = ld,
                .element_size = p.element_size,
                .at_home = first,
                .is_out = p.use == part_use::out};
    }

    std::size_t list_whole(std::size_t k, result_place results)
    {
        managed_state& m = state(k);
        const part_use use = parts_[k].use;
        settle_moves(m);
        note_use(task_, m, use);
        m.valid[0] = writes(use) ? results.node : m.valid[0] | results.node;
        if (writes(use)) {
            note_written(m);
            note_writer(m, task_end::progress_of(task_.end), true);
            if (!results.is_sure) task_.movable.emplace_back(m.moved, m.version);
        }
        return list_one(m.tiles[0], mode_of(use));
    }

    std::size_t list_atoms(std::size_t k, node_mask node, placed_part& at)
    {
        managed_state& m = state(k);
        const part_use use = parts_[k].use;
        std::size_t last = 0;
        for (const atom_id a : used_[k]) {
            part_table::atom& one = (*m.parts)[a];
            const rectangle& there = m.parts->where(a);
            const bool keeps_some = writes(use) && !contains(where_[k], there);
            last = list_one(one.handle, keeps_some ? STARPU_RW : mode_of(use));
            at.row = where_[k].row - there.row, at.col = where_[k].col - there.col;
            note_use(task_, one.past, use);
            one.written = one.written || writes(use);
            one.valid = writes(use) ? node : one.valid | node;
        }
        if (writes(use)) note_written(m);
        return used_[k].size() > 1 ? placed_part::host : last;
    }

    /// Number of the handle among those listed.
    std::size_t list_one(starpu_data_handle_t handle, starpu_data_access_mode mode)
    {
        auto& listed = task_.listed;
        const auto at = std::ranges::find(listed, handle, &listed_handle::handle);
        const auto number = static_cast<std::size_t>(at - listed.begin());
        if (at != listed.end()) at->mode = both(at->mode, mode);
        else listed.push_back({handle, mode});
        return number;
    }

    task_record& task_;
    const std::span<const task_part> parts_;
    const std::span<const rectangle> where_;
    const std::size_t most_atoms_;
    std::vector<std::vector<atom_id>> used_; ///< of each part, if one is not whole
    std::vector<starpu_data_handle_t> gates_;
};

} // namespace

void task_parts::place(task_record& t, pieces wanted, result_place results) const
{
    constexpr std::size_t most_listed = 16; // what StarPU's tasks have room for without memory of their own
    placing now(t, parts_, {where_.data(), where_.size()}, wanted == pieces::one ? 1 : most_listed);
    now.cut();
    now.list(results);
}

listed_handle task_parts::place_total(task_record& t, const task_part& p, placed_part& at)
{
    managed_state& m = manage_as_it_is(*p.data);
    t.keep(p.data);
    t.use(m);
    at = {.buffer = 0, .rows = 1, .cols = 1, .ld = 1, .element_size = p.element_size, .at_home = p.data->data};
    t.writes.push_back(m.faults);
    note_written(m);
    note_writer(m, task_end::progress_of(t.end), false);
    m.valid[0] = node_mask{1} << STARPU_MAIN_RAM;
    return {m.tiles[0], STARPU_RW};
}

void task_parts::forget_gates() const
{
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        if (where_[k].size() == 0) continue;
        managed_state& m = *parts_[k].data->managed.load(std::memory_order_acquire);
        if (m.parts) m.parts->forget_gates();
    }
}

} // namespace skelrt::detail
