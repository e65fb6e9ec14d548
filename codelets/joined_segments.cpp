// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/joined_segments.hpp"

#include <cstdint>

namespace skelrt::detail
{

namespace
{

bool is_next(const work& w, const segment& a, const segment& b)
{
    if (w.matrix) return a.cols == b.cols && a.col0 == b.col0 && a.row0 + a.rows == b.row0;
    return a.rows == 1 && b.rows == 1 && a.row0 == b.row0 && a.col0 + a.cols == b.col0;
}

/// Whether a slot's data is cut with the segments. A column's is there for all rows.
bool is_cut(slot_kind kind) { return moves(kind) && kind != slot_kind::column_vec; }

/// From where a segment's data begins to where that of the next does, if both are one piece. Steps may go back.
std::uintptr_t length(const work& w, const segment& where, const slot_view& v, const slot_type& type)
{
    return (w.matrix ? where.rows * v.ld : where.cols * v.stride) * type.size;
}

void lengthen(const work& w, segment& to, const segment& by)
{
    (w.matrix ? to.rows : to.cols) += w.matrix ? by.rows : by.cols;
}

} // namespace

bool may_be_joined(skeleton kind) noexcept
{
    switch (kind) {
    case skeleton::map:
    case skeleton::stencil:
    case skeleton::all_pairs:
    case skeleton::accumulate: // by atomic operations, in no order
    case skeleton::sort:
    case skeleton::wavefront:
        return true;
    case skeleton::reduce:
    case skeleton::reduce_rows:
    case skeleton::reduce_columns:
    case skeleton::scan:
    case skeleton::scan_rows:
    case skeleton::scan_columns:
    case skeleton::filter:
        return false;
    }
    return false;
}

bool is_continued(const work& w, std::size_t s)
{
    const segment& where = w.segments[s];
    if (!is_next(w, where, w.segments[s + 1])) return false;
    for (std::size_t k = 0; k < w.what.slots.size(); ++k) {
        const slot_view &a = w.slot(s, k), &b = w.slot(s + 1, k);
        if (a.ld != b.ld || a.stride != b.stride || a.offset != b.offset) return false;
        const std::uintptr_t on = is_cut(w.what.slots[k].kind) ? length(w, where, a, w.what.slots[k]) : 0;
        if (reinterpret_cast<std::uintptr_t>(a.data) + on != reinterpret_cast<std::uintptr_t>(b.data)) return false;
    }
    return true;
}

work join_segments(const work& w, joined_segments& room)
{
    const std::size_t count = w.segments.size(), slots = w.what.slots.size();
    if (count < 2 || !may_be_joined(w.what.kind)) return w;
    const std::size_t hoods = w.hoods.size() / count;
    room.segments.clear();
    room.slots.clear();
    room.hoods.clear();
    for (std::size_t s = 0; s < count; ++s) {
        if (s == 0 || !is_continued(w, s - 1)) {
            room.segments.push_back(w.segments[s]);
            for (std::size_t k = 0; k < slots; ++k) room.slots.push_back(w.slot(s, k));
            for (std::size_t h = 0; h < hoods; ++h) room.hoods.push_back(w.hoods[s * hoods + h]);
            continue;
        }
        lengthen(w, room.segments.back(), w.segments[s]);
        for (std::size_t k = 0; k < slots; ++k) {
            if (!is_elementwise(w.what.slots[k].kind)) continue;
            slot_view& v = room.slots[room.slots.size() - slots + k];
            v.rows = room.segments.back().rows;
            v.cols = room.segments.back().cols;
        }
        for (std::size_t h = 0; h < hoods; ++h)
            room.hoods[room.hoods.size() - hoods + h].after = w.hoods[s * hoods + h].after;
    }
    work joined = w;
    joined.segments = room.segments;
    joined.slots = room.slots;
    joined.hoods = room.hoods;
    return joined;
}

} // namespace skelrt::detail
