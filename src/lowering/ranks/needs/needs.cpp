// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/needs.hpp"

#include "src/lowering/place/grid.hpp"
#include "src/lowering/place/halo.hpp"
#include "src/lowering/ranks/needs/exchange.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// An operand's steps in one direction of the call, and where they stand in an operand_need.
struct direction {
    std::size_t count, step;
    std::size_t operand_need::*in_copy;
};

/// Where an operand of some lines begins, and how it goes on.
struct extent_of_operand {
    std::size_t first;
    direction down, along;
    bool empty() const noexcept { return down.count == 0 || along.count == 0; }
};

extent_of_operand extent_of_lines(const call& c, slot_kind kind, const operand& o, const position_run& lines)
{
    const auto down = [](std::size_t count, std::size_t step) { return direction{count, step, &operand_need::ld}; };
    const auto along = [](std::size_t count, std::size_t step) {
        return direction{count, step, &operand_need::stride};
    };
    if (lines.count == 0) return {0, down(0, 0), along(0, 0)};
    if (lies_transposed(kind, o))
        return {o.offset + lines.first * o.ld, down(lines.count, o.ld), along(o.cols, o.stride)};
    // Rows one after the other, whose elements have a step of their own only where rows meet rows.
    if (kind == slot_kind::column_vec)
        return {o.offset, down(o.cols, std::max<std::size_t>(o.ld, 1)), along(o.rows, o.stride)};
    if (!moves_with_lines(kind)) return {o.offset, down(o.rows, o.ld), along(o.cols, o.stride)};
    if (!c.matrix) return {o.offset + lines.first * o.stride, down(1, o.ld), along(lines.count, o.stride)};
    const std::size_t first = o.offset + lines.first * o.ld;
    if (kind == slot_kind::row_element) return {first, down(lines.count, o.ld), along(1, o.stride)};
    if (kind == slot_kind::row_vec)
        return {first, down(lines.count, o.ld), along(o.cols, std::max<std::size_t>(o.stride, 1))};
    return {first, down(lines.count, o.ld), along(c.cols, o.stride)};
}

/// From the first to the last element of a direction.
std::size_t reach_of(const direction& d) { return (d.count - 1) * d.step; }

/// Whether each step goes to another row of a container.
bool goes_down(const direction& d, std::size_t width) { return d.step > 0 && d.step % width == 0; }

/// Whether a position of the call on the axis where it is cut has more than one element of the operand.
bool has_long_lines(const call& c, slot_kind kind)
{
    return c.matrix && moves_with_lines(kind) && kind != slot_kind::row_element;
}

copy_shape shape_of_long_lines(const operand_need& n, const extent_of_operand& all, std::size_t width)
{
    const bool goes_on_below = !n.as_one_row && all.along.count > 1 && goes_down(all.along, width);
    if (n.rows.count > 1 && !goes_on_below) return {n.rows.count, n.cols.count, true};
    const std::size_t line = (all.along.count - 1) * n.stride + 1;
    const bool one_by_one = all.down.count > 1 && n.ld >= line;
    if (one_by_one && !goes_on_below) return {all.down.count, n.ld, true};
    return {1, n.count(), true};
}

} // namespace

bool asks_for_position(const recipe& r) noexcept
{
    return std::ranges::any_of(r.calls, [](const function_call& f) {
        return std::ranges::any_of(f.arguments, [](const argument& a) {
            return a.kind != argument_kind::slot && a.kind != argument_kind::call;
        });
    });
}

bool moves_with_lines(slot_kind kind) noexcept { return moves(kind) && !read_whole(kind); }

line_operand as_lines(const call& c, const operand& o) noexcept
{
    return {o.data->dealt, o.offset, c.matrix ? o.ld : o.stride};
}

bool lies_transposed(slot_kind kind, const operand& o) noexcept
{
    return kind == slot_kind::column_element && o.ld > 0;
}

bool has_elements(const call& c, std::size_t slot) noexcept { return need_of(c, slot, {0, 1}).count() > 0; }

operand_need need_of(const call& c, std::size_t slot, const position_run& lines, bool as_one_row) noexcept
{
    const operand& o = c.operands[slot];
    const extent_of_operand all = extent_of_lines(c, c.site->what.slots[slot].kind, o, lines);
    if (all.empty()) return {};
    const std::size_t width = o.data->shape_cols;
    operand_need need{false, {all.first / width, 1}, {all.first % width, 1}, o.ld, o.stride};
    for (const direction& d : {all.down, all.along})
        if (goes_down(d, width)) need.rows.count += reach_of(d) / width;
        else need.cols.count += reach_of(d);
    const bool crosses = goes_down(all.down, width) && goes_down(all.along, width);
    if (as_one_row || need.cols.end() > width || (crosses && all.down.count > 1 && all.along.count > 1)) {
        need = {true, {0, 1}, {all.first, 1 + reach_of(all.down) + reach_of(all.along)}, o.ld, o.stride};
    } else {
        // A step of 0 stays: all positions on that axis see the same row, of whatever width.
        for (const direction& d : {all.down, all.along})
            if (goes_down(d, width) && need.*d.in_copy > 0) need.*d.in_copy = d.step / width * need.cols.count;
    }
    need.copy = has_long_lines(c, c.site->what.slots[slot].kind)
                    ? shape_of_long_lines(need, all, width)
                    : copy_shape{need.rows.count, need.cols.count, need.rows.count > 1};
    return need;
}

std::vector<position_run> lines_around_share(const call& c, const position_run& lines_of_share)
{
    const stencil_shape& s = c.site->what.stencil;
    if (lines_of_share.count == 0) return {};
    const position_run share{first_grid_line(c) + lines_of_share.first, lines_of_share.count};
    const std::size_t axis = s.rank == 3 ? 0 : c.matrix ? 1 : 2, lines = grid_lines(c);
    const std::size_t before = c.steps * s.before[axis], after = c.steps * s.after[axis];
    std::vector<position_run> all;
    const auto add = [&](std::ptrdiff_t first, std::size_t count) {
        for (const line_run& run : lines_around(first, count, lines, s.border)) {
            if (run.first == line_run::constant_lines) continue;
            const std::size_t low = std::min(run.first + run.count, share.first),
                              high = std::max(run.first, share.end());
            if (run.first < low) all.push_back({run.first, low - run.first});
            if (high < run.first + run.count) all.push_back({high, run.first + run.count - high});
        }
    };
    add(static_cast<std::ptrdiff_t>(share.first) - static_cast<std::ptrdiff_t>(before), before);
    add(static_cast<std::ptrdiff_t>(share.end()), after);
    return ascending(std::move(all));
}

} // namespace skelrt::detail
