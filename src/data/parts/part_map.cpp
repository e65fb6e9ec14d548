// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/part_map.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// What a part leaves of an atom, and what it takes. Above and below are whole rows of the atom: in an atom of whole
/// rows of the container these stay one piece of memory.
std::vector<rectangle> pieces(const rectangle& atom, const rectangle& part)
{
    const rectangle in = intersection(atom, part);
    std::vector<rectangle> all;
    const auto add = [&](std::size_t row, std::size_t col, std::size_t rows, std::size_t cols) {
        if (rows > 0 && cols > 0) all.push_back({row, col, rows, cols});
    };
    add(atom.row, atom.col, in.row - atom.row, atom.cols);
    add(in.row, atom.col, in.rows, in.col - atom.col);
    all.push_back(in);
    add(in.row, in.col_end(), in.rows, atom.col_end() - in.col_end());
    add(in.row_end(), atom.col, atom.row_end() - in.row_end(), atom.cols);
    return all;
}

void sort_once(std::vector<gate_id>& gates)
{
    std::sort(gates.begin(), gates.end());
    gates.erase(std::unique(gates.begin(), gates.end()), gates.end());
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

std::size_t part_map::hash::operator()(const rectangle& r) const noexcept
{
    std::uint64_t h = 0;
    for (const std::size_t x : {r.row, r.col, r.rows, r.cols}) h = (h ^ x) * 0x9E3779B97F4A7C15u + (h >> 29);
    return h ^ (h >> 32);
}

part_map::part_map(std::span<const rectangle> atoms)
{
    for (const rectangle& r : atoms) {
        add(r, {});
        whole_.rows = std::max(whole_.rows, r.row_end());
        whole_.cols = std::max(whole_.cols, r.col_end());
    }
}

part_map::used part_map::use(const rectangle& part, wish w)
{
    used u;
    if (const auto same = exact_.find(part); same != exact_.end()) {
        u.atoms = {same->second->id};
        note_use(*same->second, w.use, u.gates);
        return u;
    }
    forget_retired();

    std::vector<atom*> hit = find(part);
    const auto too_many = [&] { return hit.size() > std::max<std::size_t>(w.most_atoms, 1); };
    std::size_t more = 0; // atoms, by splits; a merge of what is under the part takes some away
    for (const atom* a : hit) more += pieces_of(*a, part).size() - 1;
    const std::size_t fewer = too_many() ? hit.size() - 1 : 0;
    if (more > 0 && size() > 1 && size() + more > most_atoms_of_all + fewer) {
        u.changes.push_back(replace(find(whole_), {&whole_, 1}));
        hit = find(part);
    }

    split(hit, part, u.changes);
    hit = find(part);
    if (too_many()) {
        u.changes.push_back(merge(hit, part));
        hit = find(part);
    }

    u.atoms.reserve(hit.size());
    for (atom* a : hit) {
        u.atoms.push_back(a->id);
        note_use(*a, w.use, u.gates);
    }
    sort_once(u.gates); // several atoms may have one gate
    return u;
}

part_map::used part_map::recut(std::span<const rectangle> atoms)
{
    forget_retired();
    std::vector<rectangle> news;
    std::vector<atom_id> kept;
    for (const rectangle& r : atoms) {
        if (const auto same = exact_.find(r); same != exact_.end()) kept.push_back(same->second->id);
        else news.push_back(r);
    }
    std::sort(kept.begin(), kept.end());
    std::vector<atom*> olds = find(whole_);
    std::erase_if(olds, [&](const atom* a) { return std::binary_search(kept.begin(), kept.end(), a->id); });

    used u;
    if (!news.empty()) u.changes.push_back(replace(olds, news));
    for (const rectangle& r : atoms) u.atoms.push_back(exact_.at(r)->id);
    return u;
}

std::vector<atom_id> part_map::all() const { return under(whole_); }

std::vector<atom_id> part_map::under(const rectangle& part) const
{
    std::vector<atom_id> ids;
    for (const atom* a : find(part)) ids.push_back(a->id);
    return ids;
}

/// Row by row of those where atoms start that may reach the part. Atoms that start in one row have different columns,
/// so only one that starts left of the part can reach into its columns: the last.
std::vector<part_map::atom*> part_map::find(const rectangle& part) const
{
    std::vector<atom*> found;
    if (ordered_.empty()) return found;
    const std::size_t highest = *heights_.rbegin();
    std::size_t row = part.row < highest ? 0 : part.row - highest + 1;
    for (;;) {
        const auto begin = ordered_.lower_bound({row, 0});
        if (begin == ordered_.end() || begin->first.first >= part.row_end()) return found;
        row = begin->first.first;
        auto at = ordered_.upper_bound({row, part.col});
        if (at != begin) --at;
        for (; at != ordered_.end() && at->first < std::pair(row, part.col_end()); ++at)
            if (overlap(at->second->where, part)) found.push_back(at->second);
        ++row;
    }
}

void part_map::add(const rectangle& where, std::vector<gate_id> gates)
{
    for (const gate_id g : gates) ++awaited_[g];
    const atom_id id = next_atom_++;
    atom& a = atoms_[id] = {.id = id, .where = where, .gates = std::move(gates)};
    exact_[where] = &a;
    ordered_[{where.row, where.col}] = &a;
    heights_.insert(where.rows);
}

void part_map::retire(atom& a)
{
    take_gates(a);
    exact_.erase(a.where);
    ordered_.erase({a.where.row, a.where.col});
    heights_.erase(heights_.find(a.where.rows));
    retired_.push_back(a.id);
}

void part_map::forget_retired()
{
    for (const atom_id a : retired_) atoms_.erase(a);
    retired_.clear();
}

/// The new ones cover what the old ones cover.
part_map::change part_map::replace(const std::vector<atom*>& olds, std::span<const rectangle> news)
{
    change c;
    for (atom* old : olds) {
        c.olds.push_back(old->id);
        if (!old->read) continue;
        c.gates.push_back({next_gate_, old->id});
        old->gates.push_back(next_gate_); // stays sorted
        ++awaited_[next_gate_++];
    }
    std::vector<std::vector<gate_id>> gates(news.size()); // as long as the old ones can be found
    for (std::size_t i = 0; i < news.size(); ++i) {
        for (const atom* old : find(news[i])) append(gates[i], old->gates);
        sort_once(gates[i]);
    }
    for (atom* old : olds) retire(*old);
    for (std::size_t i = 0; i < news.size(); ++i) {
        c.heirs.push_back(next_atom_);
        add(news[i], std::move(gates[i]));
    }
    return c;
}

part_map::change part_map::merge(const std::vector<atom*>& olds, const rectangle& part)
{
    std::vector<rectangle> before;
    if (std::all_of(olds.begin(), olds.end(), [](const atom* a) { return a->used; }))
        for (const atom* a : olds) before.push_back(a->where);
    change c = replace(olds, {&part, 1});
    exact_.at(part)->merged_from = std::move(before);
    return c;
}

/// Programs use a whole and its parts by turns: one of the parts that it was in brings all of them back at once.
std::vector<rectangle> part_map::pieces_of(const atom& a, const rectangle& part)
{
    const auto& before = a.merged_from;
    const bool as_before = std::find(before.begin(), before.end(), intersection(a.where, part)) != before.end();
    return as_before ? before : pieces(a.where, part);
}

/// Each by itself: a task that uses a rest of one atom is not to wait for writers of another.
void part_map::split(const std::vector<atom*>& atoms, const rectangle& part, std::vector<change>& changes)
{
    for (atom* a : atoms)
        if (!contains(part, a->where)) changes.push_back(replace({a}, pieces_of(*a, part)));
}

void part_map::note_use(atom& a, atom_use use, std::vector<gate_id>& gates)
{
    a.used = true;
    a.read = use == atom_use::reads;
    if (a.read && a.gates.size() <= most_gates) return;
    // Of several that commute each may be the first: all of them read the gates.
    append(gates, use == atom_use::commutes ? a.gates : take_gates(a));
}

std::vector<gate_id> part_map::take_gates(atom& a)
{
    for (const gate_id g : a.gates)
        if (const auto n = awaited_.find(g); --n->second == 0) awaited_.erase(n);
    return std::exchange(a.gates, {});
}

} // namespace skelrt::detail
