// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <vector>

/// Which lines of a grid stand around a part of it, and where in host memory. Pure: no handles, no devices.
namespace skelrt::detail
{

/// Lines of the grid that follow each other; or, with `first` == constant_lines, lines of the border's constant.
struct line_run {
    static constexpr std::size_t constant_lines = ~std::size_t{0};
    std::size_t first, count;
    friend bool operator==(const line_run&, const line_run&) = default;
};

/// How many lines a step looks in front and behind, on the axis that is cut and dealt out.
struct line_reach {
    unsigned before, after;
};
constexpr line_reach reach_in_lines(const stencil_shape& s, bool matrix) noexcept
{
    const int axis = s.rank == 3 ? 0 : matrix ? 1 : 2;
    return {s.before[axis], s.after[axis]};
}

/// What stands at the positions first .. first + count of a grid of n > 0 lines, which may lie beyond its ends.
std::vector<line_run> lines_around(std::ptrdiff_t first, std::size_t count, std::size_t n, border_rule border);

/// The lines of a grid in host memory.
struct lines_in_memory {
    const std::byte* data;    ///< the container's
    std::size_t begin, width; ///< the element that line 0 begins with, and the elements of a line
    std::size_t element_size;
    const void* border; ///< the element of lines beyond the grid; null: nobody reads them

    const std::byte* at(std::size_t line) const noexcept { return data + (begin + line * width) * element_size; }
    /// Copies the runs, one behind the other.
    void copy(std::byte* to, const std::vector<line_run>& runs) const noexcept;
};

/// What it takes, in microseconds, that devices hand each other the lines around their parts of a call's grid: a task
/// that gathers them, the way, and the wait for both, in each direction. 0: there are none.
double split_us(const recipe& what, bool matrix);

} // namespace skelrt::detail
