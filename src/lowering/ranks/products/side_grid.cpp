// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/side_grid.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

using way = side_grid::way;

position_runs shifted(position_runs runs, std::size_t by)
{
    for (position_run& r : runs) r.first += by;
    return runs;
}

/// Of so many steps; none: they are no neighbours.
std::optional<way> way_of(std::size_t step, std::size_t count, std::size_t width) noexcept
{
    if (step == 0 || count <= 1) return way::still;
    if (step == width) return way::down;
    if (step == 1) return way::along;
    return {};
}

/// The local number of the first, if all positions lie there one behind the other.
std::optional<std::size_t> together(const position_runs& held, const position_runs& wanted)
{
    const std::vector<common_run> common = common_runs(held, wanted);
    std::size_t count = 0;
    for (const common_run& r : common) count += r.count;
    if (common.empty() || count < count_of(wanted)) return {};
    const auto follows = [&](const common_run& r) { return r.in_one == common[0].in_one + r.in_other; };
    if (!std::ranges::all_of(common, follows)) return {};
    return common[0].in_one;
}

} // namespace

element_grid side_grid::part(const position_runs& of_rows, const position_run& k) const
{
    element_grid g{{{row, 1}}, {{col, 1}}};
    const auto go = [&](way w, position_runs runs) {
        if (w == way::down) g.rows = shifted(std::move(runs), row);
        if (w == way::along) g.cols = shifted(std::move(runs), col);
    };
    go(rows, of_rows);
    go(ks, {k});
    return g;
}

std::size_t side_grid::step(way w, std::size_t columns) const noexcept
{
    return w == way::down ? columns : w == way::along ? 1 : 0;
}

std::optional<side_grid> as_grid(const side_place& p, std::size_t rows, std::size_t depth) noexcept
{
    const auto of_rows = way_of(p.of_row, rows, p.width), of_k = way_of(p.of_k, depth, p.width);
    if (!of_rows || !of_k || (*of_rows == *of_k && *of_rows != way::still)) return {};
    const side_grid g{p.offset / p.width, p.offset % p.width, *of_rows, *of_k};
    const std::size_t along = g.rows == way::along ? rows : g.ks == way::along ? depth : 1;
    if (g.col + along > p.width) return {};
    return g;
}

std::optional<std::size_t> place_in(const element_grid& held, const element_grid& part)
{
    const auto row = together(held.rows, part.rows), col = together(held.cols, part.cols);
    if (!row || !col) return {};
    return *row * held.width() + *col;
}

} // namespace skelrt::detail
