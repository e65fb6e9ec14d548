// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/overlap.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace skelrt::detail
{

namespace
{

/// first, first + step, ..., first + (count - 1) * step.
struct progression {
    std::size_t first, count, step;
    std::size_t last() const noexcept { return first + (count - 1) * step; }
};

/// Exact where a step divides the other one, as 1 does.
bool may_meet(const progression& a, const progression& b) noexcept
{
    const std::size_t low = std::max(a.first, b.first), high = std::min(a.last(), b.last());
    if (low > high) return false;
    const auto [fine, coarse] = std::minmax(a, b, [](const auto& x, const auto& y) { return x.step < y.step; });
    if (coarse.step % fine.step != 0) {
        const std::size_t apart = std::max(a.first, b.first) - std::min(a.first, b.first);
        return apart % std::gcd(a.step, b.step) == 0;
    }
    // All of the coarse one's are of one residue: those between low and high are in the fine one, or none of them is.
    const std::size_t steps = (low - coarse.first + coarse.step - 1) / coarse.step;
    const std::size_t meets = coarse.first + steps * coarse.step;
    return meets <= high && (meets - fine.first) % fine.step == 0;
}

/// What lies in some rows of a matrix, in the same columns of each.
struct spread {
    progression rows, cols;
};

std::optional<spread> as_rectangle(const operand& o, std::size_t row_length) noexcept
{
    const std::size_t row = o.offset / row_length, col = o.offset % row_length;
    if (o.rows == 1 && o.stride % row_length == 0) // of a column
        return spread{{row, o.cols, o.stride / row_length}, {col, 1, 1}};
    if (o.rows > 1 && (o.ld % row_length != 0 || o.ld == 0)) return std::nullopt;
    const std::size_t down = o.rows > 1 ? o.ld / row_length : 1;
    const spread all{{row, o.rows, down}, {col, o.cols, o.stride}};
    return all.cols.last() < row_length ? std::optional(all) : std::nullopt;
}

bool share_nothing(const operand& a, const operand& b, std::size_t row_length) noexcept
{
    if (row_length == 0) return false;
    const auto in_a = as_rectangle(a, row_length), in_b = as_rectangle(b, row_length);
    return in_a && in_b && !(may_meet(in_a->rows, in_b->rows) && may_meet(in_a->cols, in_b->cols));
}

/// The same elements, with steps that go on. Where there is one column, the way to the next is nothing.
operand with_steps(operand o) noexcept
{
    if (o.cols == 1) o.stride = 1;
    if (o.rows == 1) o.ld = 0;
    if (goes_back(o.stride)) o.offset += (o.cols - 1) * o.stride, o.stride = 0 - o.stride;
    if (goes_back(o.ld)) o.offset += (o.rows - 1) * o.ld, o.ld = 0 - o.ld;
    return o;
}

} // namespace

std::size_t last_of(const operand& o) noexcept { return o.offset + (o.rows - 1) * o.ld + (o.cols - 1) * o.stride; }

bool may_overlap(const operand& one, const operand& other) noexcept
{
    if (one.rows * one.cols == 0 || other.rows * other.cols == 0) return false;
    const operand a = with_steps(one), b = with_steps(other);
    if (last_of(a) < b.offset || last_of(b) < a.offset) return false;
    if (a.stride == 0 || b.stride == 0) return true;
    if (a.rows == 1 && b.rows == 1 && !may_meet({a.offset, a.cols, a.stride}, {b.offset, b.cols, b.stride}))
        return false;
    // Rows as long as one of them says, if it does: a rectangle, or a column.
    for (const operand* o : {&a, &b})
        if (share_nothing(a, b, o->rows > 1 ? o->ld : o->stride)) return false;
    return true;
}

} // namespace skelrt::detail
