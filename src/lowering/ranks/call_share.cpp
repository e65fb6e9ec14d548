// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/call_share.hpp"

#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/place/grid.hpp"
#include "src/lowering/ranks/needs/needs.hpp"
#include "src/lowering/ranks/not_yet.hpp"

#include "codelets/work.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::size_t lines_of(const call& c) { return c.matrix ? c.rows : c.cols; }

/// One value for each row.
line_operand as_lines_of_rows(const operand& result) { return {result.data->dealt, result.offset, 1}; }

std::optional<line_operand> written(const call& c)
{
    const recipe& r = c.site->what;
    if (has_result_slot(r.kind)) return as_lines(c, c.operands[r.slots.size() - 1]);
    if (r.kind == skeleton::reduce_rows) return as_lines_of_rows(c.result);
    return {};
}

line_operand guide_of(const call& c, unsigned ranks)
{
    if (const auto result = written(c)) return *result;
    const recipe& r = c.site->what;
    for (std::size_t k = 0; k < r.slots.size(); ++k)
        if (c.operands[k].data && c.operands[k].data->dealt && moves_with_lines(r.slots[k].kind) && has_elements(c, k))
            return as_lines(c, c.operands[k]);
    return {intern(balanced(1, lines_of(c), false, ranks)), 0, 1};
}

/// A block of elements, in a container as one row or as it is.
element_grid grid_of_block(const parting& p, unsigned rank, bool as_one_row)
{
    return as_one_row ? element_grid{{{0, 1}}, {p.block_of(rank)}} : held_grid(p, rank);
}

} // namespace

bool part_lies_alike(const call& c, unsigned ranks)
{
    const recipe& r = c.site->what;
    const auto is_in_blocks = [](const operand& o) { return o.data->dealt && !lies_otherwise(*o.data); };
    const operand& result = c.operands[r.slots.size() - 1];
    if (!is_in_blocks(result)) return false;
    const line_operand guide = as_lines(c, result);
    const operand* first = nullptr;
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        if (!has_surroundings(r.slots[k].kind)) continue;
        const operand& o = c.operands[k];
        if (!first) first = &o;
        if (!is_in_blocks(o) || o.data->dealt != first->data->dealt || o.offset != first->offset ||
            !is_aligned(as_lines(c, o), guide, lines_of(c), ranks))
            return false;
    }
    return true;
}

call_share::call_share(const call& c, unsigned rank, unsigned ranks)
    : whole_(c), guide_(guide_of(c, ranks)), ranks_(ranks), mine_(c),
      operands_(c.operands, c.operands + c.site->what.slots.size())
{
    lines_ = lines_at(guide_, lines_of(c), rank);
    first_ = first_with_lines(guide_, lines_of(c), ranks) == rank;
    find_exchanges(guide_, rank, ranks);
    mine_.operands = operands_.data();
    take_lines();
}

position_run call_share::numbered_lines() const noexcept
{
    if (!whole_.part.given() || exchanges_.empty()) return lines_;
    const operand& o = whole_.operands[exchanges_.front().slot];
    const std::size_t width = grid_width(whole_), begin = grid_begin(whole_, o),
                      end = begin + grid_lines(whole_) * width;
    const std::size_t first = std::clamp(o.data->first, begin, end),
                      last = std::clamp(o.data->first + o.data->count(), first, end);
    return {(first - begin) / width, (last - first) / width};
}

std::vector<unsigned> call_share::sharers() const
{
    std::vector<unsigned> all;
    for (unsigned rank = 0; rank < ranks_; ++rank)
        if (lines_at(guide_, lines_of(whole_), rank).count > 0) all.push_back(rank);
    return all;
}

void call_share::find_exchanges(const line_operand& guide, unsigned rank, unsigned ranks)
{
    const recipe& r = whole_.site->what;
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        const operand& o = whole_.operands[k];
        const slot_kind kind = r.slots[k].kind;
        if (!o.data || !o.data->dealt || kind == slot_kind::accumulator || !has_elements(whole_, k)) continue;
        const bool aligned = moves_with_lines(kind) && is_aligned(as_lines(whole_, o), guide, lines_of(whole_), ranks);
        if (!aligned && (is_written(r, k) || has_surroundings(kind))) refuse_unaligned(whole_, k);
        if (!aligned) add_passage(k, guide, rank);
        else if (has_surroundings(kind)) add_exchange_around(k, guide, rank);
    }
}

void call_share::add_passage(std::size_t slot, const line_operand& guide, unsigned rank)
{
    storage& s = *whole_.operands[slot].data;
    const parting& dealt = *s.dealt;
    bool as_one_row = false; // all of them, if one is no rectangle
    const auto need = [&](unsigned who) {
        return need_of(whole_, slot, lines_at(guide, lines_of(whole_), who), as_one_row);
    };
    for (unsigned who = 0; who < dealt.ranks() && !as_one_row; ++who) as_one_row = need(who).as_one_row;
    const bool is_kept = !moves_with_lines(whole_.site->what.slots[slot].kind);
    const known_copies* const known = is_kept ? host_part(s).copies.get() : nullptr;
    const auto has = [&](unsigned who) { return known && known->has(who, need(who).region()); };
    operand_passage& x = passages_.emplace_back();
    x = {slot, need(rank),
         passage_of(
             dealt.ranks(), [&](unsigned who) { return grid_of_block(dealt, who, as_one_row); },
             [&](unsigned who) { return has(who) ? element_grid() : need(who).grid(); }, rank)};
    x.is_here = has(rank) && known->here;
    if (is_kept)
        for (unsigned who = 0; who < dealt.ranks(); ++who) x.of_ranks.push_back(need(who).region());
}

void call_share::add_exchange_around(std::size_t slot, const line_operand& guide, unsigned rank)
{
    const operand& o = whole_.operands[slot];
    const std::size_t width = grid_width(whole_), begin = grid_begin(whole_, o);
    const auto wanted = [&](unsigned who) {
        std::vector<position_run> runs = lines_around_share(whole_, lines_at(guide, lines_of(whole_), who));
        for (position_run& run : runs) run = {begin + run.first * width, run.count * width};
        return runs;
    };
    const parting& dealt = *o.data->dealt;
    exchanges_.push_back({slot, exchange_of(
                                    dealt.ranks(), [&](unsigned who) { return dealt.block_of(who); }, wanted, rank)});
    exchanges_.back().messages.unit = width;
}

void call_share::take_lines()
{
    const recipe& r = mine_.site->what;
    (mine_.matrix ? mine_.rows : mine_.cols) = lines_.count;
    mine_.first_line = lines_.first;
    if (empty()) return;
    for (std::size_t k = 0; k < operands_.size(); ++k) {
        operand& o = operands_[k];
        if (!o.data || r.slots[k].kind == slot_kind::accumulator) continue; // partial results stand in for these
        if (!has_elements(whole_, k)) { // it may begin behind the container's last one
            o.offset = 0;
            continue;
        }
        if (moves_with_lines(r.slots[k].kind) || lies_transposed(r.slots[k].kind, o)) {
            o.offset += lines_.first * as_lines(mine_, o).step;
            (mine_.matrix ? o.rows : o.cols) = lines_.count;
        }
        const auto replaced = [&](const operand_passage& x) { return x.slot == k && x.needs_stand_in(); };
        if (std::ranges::none_of(passages_, replaced)) o.offset -= o.data->first;
    }
    if (r.kind != skeleton::reduce_rows) return;
    mine_.result.offset += lines_.first - mine_.result.data->first;
    mine_.result.cols = lines_.count;
}

void call_share::use_stand_in(const operand_passage& x, storage& there)
{
    operand& o = operands_[x.slot];
    o.data = &there;
    o.offset = 0;
    o.ld = x.need.ld;
    o.stride = x.need.stride;
}

} // namespace skelrt::detail
