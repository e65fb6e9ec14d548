// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/loops/checked.hpp>
#include <skelrt/error.hpp>

#include "codelets/index_fault.hpp"

#include <fmt/format.h>

#include <atomic>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// A function that looks for a place where its loop ends would not come back: after so many indices it fails at once.
constexpr std::uint64_t too_many = std::uint64_t{1} << 20;

struct checked_state {
    const recipe* what = nullptr;
    index_fault fault{};
};
thread_local checked_state checked_now;

/// Writes down an index that asks for what is not there, if it is the first at this position.
void note(checked_operand which, std::int64_t a, std::int64_t b, std::int64_t c, std::uint64_t rows, std::uint64_t cols)
{
    index_fault& f = checked_now.fault;
    if (f.found++ > 0) {
        if (f.found > too_many) leave_position();
        return;
    }
    f.slot = which.slot();
    f.index[0] = a;
    f.index[1] = b;
    f.index[2] = c;
    f.size[0] = rows;
    f.size[1] = cols;
}

bool inside(std::ptrdiff_t distance, int axis)
{
    const stencil_shape& s = checked_now.what->stencil;
    return distance >= -static_cast<std::ptrdiff_t>(s.before[axis]) &&
           distance <= static_cast<std::ptrdiff_t>(s.after[axis]);
}

} // namespace

const recipe* set_checked_call(const recipe* what) noexcept { return std::exchange(checked_now.what, what); }

void enter_position(std::size_t row, std::size_t col, const index_widths& width) noexcept
{
    checked_now.fault.found = 0;
    checked_now.fault.row = row;
    checked_now.fault.col = col;
    checked_now.fault.width = width.cols;
}

void leave_position()
{
    if (checked_now.fault.found > 0 && checked_now.what) throw_index_fault(*checked_now.what, checked_now.fault);
}

bool holds(checked_operand which, std::size_t i, std::size_t size)
{
    if (i < size) return true;
    note(which, static_cast<std::int64_t>(i), 0, 0, size, 0);
    return false;
}

bool holds(checked_operand which, std::size_t row, std::size_t col, std::size_t rows, std::size_t cols)
{
    if (row < rows && col < cols) return true;
    note(which, static_cast<std::int64_t>(row), static_cast<std::int64_t>(col), 0, rows, cols);
    return false;
}

bool writes_first(checked_operand which, std::size_t i, std::size_t size, void* end)
{
    using word = std::uint32_t;
    if (!holds(which, i, size)) return false;
    const auto after = reinterpret_cast<std::uintptr_t>(end) + sizeof(word) - 1;
    auto* const words = reinterpret_cast<word*>(after - after % sizeof(word));
    const word bit = word{1} << i % 32;
    if ((std::atomic_ref(words[i / 32]).fetch_or(bit, std::memory_order_relaxed) & bit) == 0) return true;
    note(which, static_cast<std::int64_t>(i), 0, 0, size, 0);
    return false;
}

bool reaches(checked_operand which, std::ptrdiff_t element)
{
    if (inside(element, checked_now.what->stencil.down ? 1 : 2)) return true;
    note(which, 0, 0, element, 0, 0);
    return false;
}

bool reaches(checked_operand which, std::ptrdiff_t row, std::ptrdiff_t col)
{
    if (inside(row, 1) && inside(col, 2)) return true;
    note(which, 0, row, col, 0, 0);
    return false;
}

bool reaches(checked_operand which, std::ptrdiff_t plane, std::ptrdiff_t row, std::ptrdiff_t col)
{
    if (inside(plane, 0) && inside(row, 1) && inside(col, 2)) return true;
    note(which, plane, row, col, 0, 0);
    return false;
}

void throw_outside_of_view(std::size_t i, std::size_t size)
{
    throw bounds_error(fmt::format("sk::host: index {} of a view of {} elements", static_cast<std::int64_t>(i), size));
}

void throw_outside_of_view(std::size_t row, std::size_t col, std::size_t rows, std::size_t cols)
{
    throw bounds_error(fmt::format("sk::host: ({}, {}) of a view of {} x {} elements", static_cast<std::int64_t>(row),
                                   static_cast<std::int64_t>(col), rows, cols));
}

void throw_outside_of_view(int axis, std::size_t i, std::size_t extent)
{
    throw bounds_error(fmt::format("sk::host: index {} of axis {} of a view that has {} there",
                                   static_cast<std::int64_t>(i), axis + 1, extent));
}

void throw_no_span(std::size_t stride)
{
    throw error(fmt::format("sk::host: elements of a row that are {} apart are no std::span; write h(i, j)", stride));
}

} // namespace skelrt::detail
