// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/product.hpp"

#include "src/data/parting/held.hpp"
#include "src/function/sides.hpp"
#include "src/lowering/ranks/needs/needs.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

const operand& result_of(const call& c) { return c.operands[c.site->what.slots.size() - 1]; }

/// Whether an operand steps from element to element by `ld`, and from row to row by `stride`: see slot_view.
bool goes_across(slot_kind kind) { return kind == slot_kind::column_vec; }

side_place place_of(const operand& o, slot_kind kind)
{
    const bool across = goes_across(kind);
    return {o.offset, across ? o.stride : o.ld, across ? o.ld : o.stride, o.data->shape_cols};
}

} // namespace

std::vector<product_operand::group> product_operand::groups_of(const parting& result, bool left)
{
    const axis_split& mine = left ? result.rows : result.cols;
    std::vector<group> all;
    for (unsigned part = 0; part < mine.parts; ++part) {
        group g;
        for (unsigned rank = 0; rank < result.ranks(); ++rank) {
            if ((left ? result.row_part(rank) : result.col_part(rank)) != part || result.count_of(rank) == 0) continue;
            const element_grid held = held_grid(result, rank);
            g.members.push_back(rank);
            g.rows = left ? held.rows : held.cols;
        }
        if (!g.members.empty()) all.push_back(std::move(g));
    }
    return all;
}

std::optional<product_operand> product_operand::of(const call& c, std::size_t slot, bool left)
{
    const operand& o = c.operands[slot];
    const auto grid = as_grid(place_of(o, c.site->what.slots[slot].kind), left ? c.rows : c.cols, c.depth);
    if (!grid) return {};
    return product_operand(c, slot, left, *grid);
}

product_operand::product_operand(const call& c, std::size_t slot, bool left, const side_grid& grid)
    : slot_(slot), data_(c.operands[slot].data), left_(left), across_(goes_across(c.site->what.slots[slot].kind)),
      grid_(grid), groups_(groups_of(*result_of(c).data->dealt, left))
{
}

void product_operand::set_steps(operand& o, std::size_t columns) const noexcept
{
    const std::size_t of_row = grid_.step(grid_.rows, columns), of_k = grid_.step(grid_.ks, columns);
    o.ld = across_ ? of_k : of_row;
    o.stride = across_ ? of_row : of_k;
}

const axis_split* product_operand::axis_of(side_grid::way w) const
{
    const parting* const p = data_->dealt;
    if (!p || w == side_grid::way::still) return nullptr;
    return w == side_grid::way::down ? &p->rows : &p->cols;
}

panel_source product_operand::source() const
{
    panel_source s;
    if (const axis_split* const a = axis_of(grid_.ks)) s.of_k = *a;
    if (const axis_split* const a = axis_of(grid_.rows)) s.of_rows = *a;
    for (const group& g : groups_) {
        s.group = std::max(s.group, count_of(g.rows));
        s.scattered |= g.rows.size() > 1;
    }
    return s;
}

relay product_operand::relay_for(const position_run& k, unsigned rank) const
{
    const parting* const p = data_->dealt;
    if (!p) return {{}, passage_here(grid_of(*data_), wanted(k, rank)).pieces};
    std::vector<relay_group> wanting;
    for (const group& g : groups_) wanting.push_back({g.members, grid_.part(g.rows, k)});
    return relay_of(
        p->ranks(), [&](unsigned who) { return held_grid(*p, who); }, wanting, rank);
}

element_grid product_operand::wanted(const position_run& k, unsigned rank) const
{
    for (const group& g : groups_)
        if (std::ranges::binary_search(g.members, rank)) return grid_.part(g.rows, k);
    return {};
}

std::optional<product> product::of(const call& c)
{
    const recipe& r = c.site->what;
    if (r.kind != skeleton::all_pairs || asks_for_position(r) || !result_of(c).data->dealt) return {};
    product p;
    const std::vector<argument>& sides = r.calls.back().arguments;
    for (const bool left : {true, false})
        for (const std::size_t slot : parts_of(r, sides[left ? 0 : 1]).slots) {
            if (!c.operands[slot].data || r.slots[slot].kind == slot_kind::scalar) continue;
            if (r.slots[slot].kind != slot_kind::row_vec && r.slots[slot].kind != slot_kind::column_vec) return {};
            const auto o = product_operand::of(c, slot, left);
            if (!o) return {};
            p.operands_.push_back(*o);
        }
    std::vector<panel_source> sources;
    for (const product_operand& o : p.operands_) sources.push_back(o.source());
    p.cut_ = cut_panels(c.depth, sources);
    return p;
}

} // namespace skelrt::detail
