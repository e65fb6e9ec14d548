// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/partings/call_in_blocks.hpp"

#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/ranks/needs/needs.hpp"

#include "codelets/work.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// Whether what the call gives is kept by every rank: a value, or what each makes of values that all have.
bool gives_value_to_all(const call& c)
{
    const recipe& r = c.site->what;
    if (r.kind == skeleton::reduce) return true;
    const auto is_value = [](const slot_type& s) {
        return s.kind == slot_kind::scalar || s.kind == slot_kind::uniform;
    };
    return r.kind == skeleton::map && c.rows * c.cols == 1 && std::all_of(r.slots.begin(), r.slots.end() - 1, is_value);
}

/// In its own order, too.
bool is_whole(const operand& o)
{
    const storage& s = *o.data;
    return o.offset == 0 && o.stride == 1 && o.cols == s.shape_cols && o.rows == s.shape_rows &&
           (o.rows == 1 || o.ld == s.shape_cols);
}

/// Results, and what hoods see, are looked for in parts.
bool is_needed(const storage& s, bool in_parts) { return s.dealt ? lies_otherwise(s) : in_parts; }

} // namespace

call_in_blocks::call_in_blocks(const call& c, transfer& messages)
    : messages_(messages), call_(c), copies_(messages), operands_(c.operands, c.operands + c.site->what.slots.size())
{
    const recipe& r = c.site->what;
    const bool in_parts = !gives_value_to_all(c);
    const auto adds = [&](std::size_t k) { return r.slots[k].kind == slot_kind::accumulator; };
    for (std::size_t k = 0; k < operands_.size(); ++k) {
        operand& o = operands_[k];
        const bool written = is_written(r, k);
        if (o.data && is_needed(*o.data, in_parts && (has_surroundings(r.slots[k].kind) || written)))
            work_on_copy(o, {!written || adds(k) || !has_all_elements(o), written});
    }
    if (operand& o = call_.result; o.data && is_needed(*o.data, in_parts))
        work_on_copy(o, {!has_all_elements(o), true});
    call_.operands = operands_.data();
    copies_.fill();
}

void call_in_blocks::work_on_copy(operand& o, const container_copies::use& how)
{
    storage& original = *o.data;
    o.data = copies_.of(original, messages_.blocks_of(original), how);
    if (how.written) content_changes(original);
}

std::optional<call> as_it_lies(const call& c, std::vector<operand>& operands)
{
    const recipe& r = c.site->what;
    if (r.kind != skeleton::map) return {};
    const storage* like = nullptr;
    operands.assign(c.operands, c.operands + r.slots.size());
    for (std::size_t k = 0; k < operands.size(); ++k) {
        operand& o = operands[k];
        if (!o.data) continue;
        const slot_kind kind = r.slots[k].kind;
        if (!moves(kind) && !o.data->dealt) continue;
        if (!is_elementwise(kind) || !o.data->dealt || !is_whole(o) || o.rows != c.rows || o.cols != c.cols) return {};
        if (like && like->dealt != o.data->dealt) return {};
        like = o.data;
        o.rows = like->rows;
        o.cols = o.ld = like->cols;
    }
    if (!like) return {};
    call mine = c;
    if (!lies_otherwise(*like)) {
        mine.rows = like->rows;
        mine.cols = like->cols;
        mine.first_line = like->first / (c.matrix ? std::max<std::size_t>(c.cols, 1) : 1);
    } else if (asks_for_position(r)) {
        return {};
    } else {
        mine.set_space({c.rank, like->rows, like->cols, like->inner});
    }
    mine.operands = operands.data();
    return mine;
}

} // namespace skelrt::detail
