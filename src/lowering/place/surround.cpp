// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/tile_handle.hpp"
#include "src/lowering/place/foreign_lines.hpp"
#include "src/lowering/place/grid.hpp"
#include "src/lowering/place/halo.hpp"
#include "src/lowering/place/layout/layout.hpp"
#include "src/runtime/simulated.hpp"

#include "codelets/element_memory.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

/// What surrounds the segments of hood operands: read in place where the task's device has it, else in a halo.
namespace skelrt::detail
{

namespace
{

/// The run of tiles in which some lines lie.
struct tile_span {
    std::size_t first, last;
};

/// `begin`: element that line number 0 begins with; `width`: elements of a line.
tile_span span_of(const managed_state& m, std::size_t begin, std::size_t width, const line_run& run)
{
    return {(begin + run.first * width) / m.tile_elements,
            (begin + (run.first + run.count) * width - 1) / m.tile_elements};
}

/// `offset`: bytes behind the handle's start.
void add_part(halo& h, starpu_data_handle_t from, std::size_t offset, std::size_t lines)
{
    auto known = std::find(h.from.begin(), h.from.end(), from);
    if (known == h.from.end()) known = h.from.insert(h.from.end(), from);
    h.parts.push_back({static_cast<std::size_t>(known - h.from.begin()), offset, lines});
}

} // namespace

void layout::surround(task_group& g, const target* where)
{
    const recipe& r = state_.what();
    g.hood_refs.clear();
    if (r.kind != skeleton::stencil) return;
    const line_reach reach = reach_in_lines(r.stencil, state_.matrix);
    // Half steps in place, by a task that sees the whole grid: cores need not be told where the lines are.
    const std::size_t deep = !state_.red_black() ? state_.steps : where && where->kind == device::cuda ? 1 : 0;
    const std::size_t before = deep * reach.before, after = deep * reach.after;
    const bool ends = r.stencil.border != border_rule::cyclic;
    const std::size_t grid = grid_lines(state_), corner = first_grid_line(state_) + state_.first_line;
    for (std::size_t s = 0; s < g.count; ++s) {
        const std::size_t at = g.first + s, first = corner + position(at), end = first + positions(at);
        for (std::size_t k = 0; k < r.slots.size(); ++k) {
            if (!has_surroundings(r.slots[k].kind)) continue;
            const auto lines = [&](std::ptrdiff_t from, std::size_t count, bool at_end) {
                if (count == 0 || (ends && at_end)) return slot_ref{};
                const auto runs = lines_around(from, count, grid, r.stencil.border);
                return place_lines(k, at, state_.foreign ? state_.foreign->numbered(k, runs) : runs, where);
            };
            g.hood_refs.push_back(
                lines(static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(before), before, first == 0));
            g.hood_refs.push_back(lines(static_cast<std::ptrdiff_t>(end), after, end == grid));
        }
    }
}

bool layout::needs_foreign(std::size_t segment) const
{
    const recipe& r = state_.what();
    if (!state_.foreign || r.kind != skeleton::stencil) return false;
    const line_reach reach = reach_in_lines(r.stencil, state_.matrix);
    const std::size_t first = position(segment), end = first + positions(segment);
    const std::size_t begin = state_.first_line, behind = begin + extent();
    const bool cyclic = r.stencil.border == border_rule::cyclic;
    return (first < state_.steps * reach.before && (cyclic || begin > 0)) ||
           (end + state_.steps * reach.after > extent() && (cyclic || behind < state_.whole_lines));
}

std::size_t layout::segment_at(std::size_t p) const
{
    std::size_t low = 0, high = state_.segments.size();
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        if (position(middle) <= p) low = middle;
        else high = middle;
    }
    return low;
}

/// The number of the call's first line: in the grid, or among the lines that this rank holds and is sent.
std::size_t layout::first_number() const
{
    const std::size_t line = first_grid_line(state_) + state_.first_line;
    return state_.foreign ? state_.foreign->own_number(line) : line;
}

/// The element that line number 0 begins with: operands begin with the call's first line.
std::size_t layout::numbers_begin(std::size_t k) const
{
    return state_.operands[k].offset - first_number() * grid_width(state_);
}

/// The segment that is on a line, or the nearest one.
std::size_t layout::segment_on(std::size_t number) const
{
    const std::size_t first = first_number();
    return segment_at(number > first ? number - first : 0);
}

/// Lines of hood slot k for segment `at`: where its task finds them.
slot_ref layout::place_lines(std::size_t k, std::size_t at, const std::vector<line_run>& runs, const target* where)
{
    managed_state& m = *managed_[k];
    const std::size_t width = grid_width(state_), begin = numbers_begin(k), size = m.owner->element_size;
    if (runs.size() == 1 && is_foreign(runs[0])) {
        const foreign_lines::place there = state_.foreign->at(runs[0].first);
        if (there.count >= runs[0].count) return {use_read(there.data), there.line * width * size};
    } else if (runs.size() == 1 && runs[0].first != line_run::constant_lines) {
        const line_run& run = runs[0];
        const tile_span t = span_of(m, begin, width, run);
        const std::size_t own = (state_.operands[k].offset + position(at) * width) / m.tile_elements;
        const bool on_cores = where && where->kind == device::cpu;
        bool here = t.first == t.last && t.first == own;
        if (!here && where && (t.first == t.last || on_cores || lies_in_one_piece(m, where->node))) {
            bool valid = true, comes = true; // because tasks on this device want them as well
            for (std::size_t tile = t.first; valid && tile <= t.last; ++tile) valid = m.is_at(tile, where->node);
            for (std::size_t s = segment_on(run.first); comes && s <= segment_on(run.first + run.count - 1); ++s)
                comes = device_of_[s] == device_of_[at];
            here = valid || comes;
        }
        if (here) {
            const std::uint32_t handle = use_read(m.tiles[t.first]);
            for (std::size_t tile = t.first + 1; tile <= t.last; ++tile) use_read(m.tiles[tile]);
            const std::size_t element = begin + run.first * width;
            // In host memory the tiles follow each other.
            if (t.first < t.last && on_cores) return {slot_ref::host, element * size};
            return {handle, (element - m.tile_begin(t.first)) * size};
        }
    }
    if (const auto copied = copy_lines(k, runs)) return *copied;
    return gather_lines(k, at, runs);
}

bool layout::is_foreign(const line_run& run) const
{
    return state_.foreign && run.first != line_run::constant_lines && state_.foreign->is_foreign(run.first);
}

void layout::add_foreign(halo& h, const line_run& run) const
{
    for (std::size_t number = run.first, end = run.first + run.count; number < end;) {
        const foreign_lines::place there = state_.foreign->at(number);
        const std::size_t count = std::min(end - number, there.count);
        add_part(h, there.data, there.line * h.line_bytes, count);
        number += count;
    }
}

slot_ref layout::gather_lines(std::size_t k, std::size_t at, const std::vector<line_run>& runs)
{
    managed_state& m = *managed_[k];
    const std::size_t width = grid_width(state_), begin = numbers_begin(k), size = m.owner->element_size;
    halo& h = state_.halos.emplace_back();
    h.owner = &state_;
    h.line_bytes = width * size;
    h.element_size = size;
    h.border_value = state_.operands[k].value;
    h.device = device_of_[at];
    std::size_t total = 0, most = 0;
    for (const line_run& run : runs) {
        total += run.count;
        if (run.first == line_run::constant_lines) {
            h.parts.push_back({halo::part::constant, 0, run.count});
            continue;
        }
        if (is_foreign(run)) {
            add_foreign(h, run);
            continue;
        }
        if (run.count > most) {
            most = run.count;
            h.device = device_of_[segment_on(run.first)];
        }
        // A run may lie in several tiles; a line never does.
        for (std::size_t line = run.first, end = run.first + run.count; line < end;) {
            const std::size_t element = begin + line * width, tile = element / m.tile_elements;
            const std::size_t left = (m.tile_begin(tile) + m.tile_size(tile) - element) / width;
            const std::size_t count = std::min(end - line, left);
            add_part(h, m.tiles[tile], (element - m.tile_begin(tile)) * size, count);
            line += count;
        }
    }
    register_handle(h.to, nullptr, total * width, size);
    return {use_read(h.to), 0};
}

/// Lines that are in the host's memory, and that nobody writes, need no task: the one that reads them would have to
/// wait for it, and it for a worker. Nothing: these do.
std::optional<slot_ref> layout::copy_lines(std::size_t k, const std::vector<line_run>& runs)
{
    constexpr std::size_t most_bytes = std::size_t{1} << 20;
    const managed_state& m = *managed_[k];
    const std::size_t width = grid_width(state_), begin = numbers_begin(k), size = m.owner->element_size;
    std::size_t total = 0;
    bool readable = !simulated;
    for (const line_run& run : runs) {
        total += run.count;
        if (run.first == line_run::constant_lines) continue;
        if (is_foreign(run)) return {};
        const tile_span t = span_of(m, begin, width, run);
        for (std::size_t tile = t.first; readable && tile <= t.last; ++tile) readable = is_readable_here(m, tile);
    }
    const std::size_t bytes = total * width * size;
    if (!readable || state_.lines_used + bytes > most_bytes) return {};
    if (!state_.lines.data) state_.lines = allocate_pinned(most_bytes);
    std::byte* const lines = static_cast<std::byte*>(state_.lines.data) + state_.lines_used;
    state_.lines_used += rounded_to_elements(bytes);
    lines_in_memory{m.owner->data, begin, width, size, state_.operands[k].value}.copy(lines, runs);
    halo& h = state_.halos.emplace_back();
    h.there = true;
    register_handle(h.to, lines, total * width, size);
    return slot_ref{use_read(h.to), 0};
}

} // namespace skelrt::detail
