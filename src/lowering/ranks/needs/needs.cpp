#include "src/lowering/ranks/needs/needs.hpp"

#include "src/lowering/place/halo.hpp"
#include "src/lowering/ranks/needs/exchange.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// From the first to the last of `count` elements that lie `step` apart; 0 of what the operand does not follow.
std::size_t reach_of(std::size_t count, std::size_t step) { return count > 0 ? (count - 1) * step : 0; }

/// From the first to the last element of a line, and one more.
std::size_t width_of_line(const call& c, slot_kind kind, const operand& o)
{
    if (kind == slot_kind::row_vec) return reach_of(o.cols, std::max<std::size_t>(o.stride, 1)) + 1;
    return kind != slot_kind::row_element && c.matrix ? reach_of(c.cols, o.stride) + 1 : 1;
}

/// The same of all that the function may look at.
std::size_t width_of_all(slot_kind kind, const operand& o)
{
    // Rows one after the other, whose elements have a step of their own only where rows meet rows.
    if (kind == slot_kind::column_vec)
        return reach_of(o.rows, o.stride) + reach_of(o.cols, std::max<std::size_t>(o.ld, 1)) + 1;
    return reach_of(o.rows, o.ld) + reach_of(o.cols, o.stride) + 1;
}

} // namespace

bool moves_with_lines(slot_kind kind) noexcept { return moves(kind) && !read_whole(kind); }

line_operand as_lines(const call& c, const operand& o) noexcept
{
    return {o.data->dealt, o.offset, c.matrix ? o.ld : o.stride};
}

bool has_elements(const call& c, std::size_t slot) noexcept { return needed_elements(c, slot, {0, 1}).count > 0; }

position_run needed_elements(const call& c, std::size_t slot, const position_run& lines) noexcept
{
    const slot_kind kind = c.site->what.slots[slot].kind;
    const operand& o = c.operands[slot];
    if (lines.count == 0) return {};
    if (!moves_with_lines(kind))
        return o.rows * o.cols > 0 ? position_run{o.offset, width_of_all(kind, o)} : position_run{};
    if (kind == slot_kind::row_vec && o.cols == 0) return {};
    const std::size_t step = as_lines(c, o).step;
    return {o.offset + lines.first * step, reach_of(lines.count, step) + width_of_line(c, kind, o)};
}

std::vector<position_run> lines_around_share(const call& c, const position_run& share)
{
    const stencil_shape& s = c.site->what.stencil;
    if (share.count == 0) return {};
    const std::size_t axis = s.rank == 3 ? 0 : c.matrix ? 1 : 2, lines = c.matrix ? c.rows : c.cols;
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
    return in_order(std::move(all));
}

} // namespace skelrt::detail
