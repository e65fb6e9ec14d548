// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/place/grid.hpp"
#include "src/lowering/run/submitted_call.hpp"

#include "codelets/accumulated.hpp"

#include <algorithm>
#include <vector>

namespace skelrt::detail
{

/// Pointers of a task's handles, as the device sees them.
struct device_pointer {
    void* data;
    std::size_t offset; ///< bytes behind a cl_mem's start; 0 elsewhere
};

/// The slot views of a group, segment by segment, once StarPU has brought the data. `at(h)` gives handle number h.
template <class Pointers>
void fill_views(const task_group& g, Pointers at, bool opencl, std::vector<slot_view>& views)
{
    const submitted_call& c = *g.owner;
    const recipe& r = c.what();
    const std::size_t slots = r.slots.size();
    views.resize(g.reads() * slots);
    const auto shifted = [&](device_pointer p, std::size_t bytes) {
        if (opencl) return device_pointer{p.data, p.offset + bytes};
        return device_pointer{static_cast<std::byte*>(p.data) + static_cast<std::ptrdiff_t>(bytes), 0};
    };
    for (std::size_t s = 0; s < g.reads(); ++s) {
        const segment& where = c.segments[g.begin() + s];
        for (std::size_t k = 0; k < slots; ++k) {
            const operand& o = c.operands[k];
            const slot_ref& ref = g.refs[s * slots + k];
            device_pointer p{nullptr, 0};
            if (ref.handle == slot_ref::uniform) p.data = const_cast<void*>(o.value);
            else if (ref.handle == slot_ref::host) p.data = o.data->data + ref.offset;
            else p = shifted(at(ref.handle), ref.offset);
            // Read whole, and moving down the rows: a transposed matrix.
            if (r.slots[k].kind == slot_kind::column_element)
                p = shifted(p, (where.row0 - c.first_line) * o.ld * r.slots[k].size);
            const bool element = is_elementwise(r.slots[k].kind);
            views[s * slots + k] = {p.data, p.offset, element ? where.rows : o.rows, element ? where.cols : o.cols,
                                    o.ld,   o.stride};
        }
    }
}

/// visit(tile, bytes behind the start of a copy, bytes): of what a group of a direct call adds to. `bytes_of(h)` gives
/// the length of handle number h.
template <class Bytes, class Visit>
void for_each_added_tile(const task_group& g, Bytes bytes_of, Visit visit)
{
    const submitted_call& c = *g.owner;
    std::size_t next = 0;
    for_each_accumulated(
        c.what(), [&](std::size_t slot) { return c.operands[slot].cols; },
        [&](const accumulated_part& part) {
            std::size_t at = part.offset, left = part.count * c.what().slots[part.slot].size;
            while (left > 0) {
                const slot_ref& tile = g.result_refs[next++];
                const std::size_t bytes = std::min<std::size_t>(bytes_of(tile.handle) - tile.offset, left);
                visit(tile, at, bytes);
                at += bytes, left -= bytes;
            }
        });
}

/// Accumulators are views of the memory that holds the group's partial result.
inline void place_accumulators(const recipe& r, device_pointer at, bool opencl, std::vector<slot_view>& views)
{
    for_each_accumulated(
        r, [&](std::size_t slot) { return views[slot].cols; },
        [&](const accumulated_part& part) {
            for (std::size_t i = part.slot; i < views.size(); i += r.slots.size()) {
                views[i].data = opencl ? at.data : static_cast<std::byte*>(at.data) + part.offset;
                views[i].offset = opencl ? at.offset + part.offset : 0;
            }
        });
}

/// What surrounds the segments of a group's hoods.
template <class Pointers>
void fill_hoods(const task_group& g, Pointers at, bool opencl, std::vector<hood_view>& hoods)
{
    const submitted_call& c = *g.owner;
    const recipe& r = c.what();
    hoods.clear();
    std::size_t next = 0;
    const auto look = [&](const operand& o) {
        const slot_ref& ref = g.hood_refs[next++];
        slot_view v{};
        v.ld = o.ld;
        v.stride = 1;
        if (ref.handle == slot_ref::uniform) return v;
        if (ref.handle == slot_ref::host) {
            v.data = o.data->data + ref.offset;
        } else {
            const device_pointer p = at(ref.handle);
            v.data = opencl ? p.data : static_cast<std::byte*>(p.data) + ref.offset;
            v.offset = opencl ? p.offset + ref.offset : 0;
        }
        return v;
    };
    if (r.kind != skeleton::stencil) return;
    for (std::size_t s = 0; s < g.count; ++s)
        for (std::size_t k = 0; k < r.slots.size(); ++k)
            if (has_surroundings(r.slots[k].kind)) {
                hood_view& h = hoods.emplace_back();
                h.before = look(c.operands[k]);
                h.after = look(c.operands[k]);
                h.border_value = c.operands[k].value;
            }
}

inline work work_of(const task_group& g, std::span<const slot_view> views, std::span<const hood_view> hoods)
{
    const submitted_call& c = *g.owner;
    work w{c.what(), c.matrix, c.width, std::span(c.segments).subspan(g.begin(), g.reads()), views};
    w.front = g.front;
    w.depth = c.depth;
    w.begun = c.begun;
    const skeleton kind = c.what().kind;
    w.carried_in = is_chained(kind) && (g.number > 0 || c.goes_on) && g.front == 0;
    if (kind == skeleton::reduce_rows || kind == skeleton::scan_rows || kind == skeleton::all_pairs || c.direct ||
        (is_chained(kind) && !w.carried_in))
        w.start = c.start;
    w.hoods = hoods;
    if (c.what().kind == skeleton::stencil) set_whole_grid(w, c);
    w.steps = c.steps;
    w.color = c.color;
    w.block = g.block;
    return w;
}

} // namespace skelrt::detail
