// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parting/element_grid.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

position_runs held_runs(const axis_split& a, unsigned part)
{
    position_runs runs;
    for (std::size_t n = 0; n < a.runs(part); ++n) runs.push_back(a.run(part, n));
    return runs;
}

/// Whether a run of columns takes all of both grids' rows: then rows follow each other.
bool is_all(const std::vector<common_run>& cols, std::size_t width, std::size_t other_width)
{
    return cols.size() == 1 && cols[0].count == width && cols[0].count == other_width;
}

} // namespace

std::size_t count_of(const position_runs& runs) noexcept
{
    std::size_t n = 0;
    for (const position_run& r : runs) n += r.count;
    return n;
}

std::vector<common_run> common_runs(const position_runs& one, const position_runs& other)
{
    std::vector<common_run> common;
    std::size_t before_one = 0, before_other = 0; // positions of the runs in front
    for (auto a = one.begin(), b = other.begin(); a != one.end() && b != other.end();) {
        const std::size_t first = std::max(a->first, b->first), end = std::min(a->end(), b->end());
        if (first < end)
            common.push_back({first, end - first, before_one + first - a->first, before_other + first - b->first});
        if (a->end() == end) before_one += (a++)->count;
        else before_other += (b++)->count;
    }
    return common;
}

element_grid held_grid(const parting& p, unsigned rank)
{
    return {held_runs(p.rows, p.row_part(rank)), held_runs(p.cols, p.col_part(rank))};
}

element_grid whole_grid(std::size_t rows, std::size_t cols) { return {{{0, rows}}, {{0, cols}}}; }

std::vector<numbered_run> common_elements(const element_grid& one, const element_grid& other)
{
    std::vector<numbered_run> common;
    const std::vector<common_run> cols = common_runs(one.cols, other.cols);
    const std::size_t width = one.width(), other_width = other.width();
    for (const common_run& r : common_runs(one.rows, other.rows)) {
        if (is_all(cols, width, other_width)) {
            common.push_back({r.in_one * width, r.in_other * width, r.count * width});
            continue;
        }
        for (std::size_t i = 0; i < r.count; ++i)
            for (const common_run& c : cols)
                common.push_back(
                    {(r.in_one + i) * width + c.in_one, (r.in_other + i) * other_width + c.in_other, c.count});
    }
    return common;
}

} // namespace skelrt::detail
