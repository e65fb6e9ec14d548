// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/dealt_part.hpp"

#include "src/data/parting/element_grid.hpp"

#include <skelrt/detail/storage.hpp>

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// Parts of an axis that hold positions first .. first + count > first.
std::vector<unsigned> owners_of(const axis_split& a, std::size_t first, std::size_t count)
{
    std::vector<unsigned> all;
    const std::size_t last = first + count - 1;
    if (a.block == 0) {
        for (unsigned p = a.owner(first); p <= a.owner(last); ++p) all.push_back(p);
        return all;
    }
    const std::size_t blocks = last / a.block - first / a.block + 1;
    for (std::size_t k = 0; k < std::min<std::size_t>(blocks, a.parts); ++k)
        all.push_back(static_cast<unsigned>((first / a.block + k) % a.parts));
    std::ranges::sort(all);
    return all;
}

/// A rank holds positions in ascending order: those of a run have numbers there that follow each other.
position_run numbers_of(const position_runs& held, const position_run& wanted)
{
    const std::vector<common_run> both = common_runs(held, {wanted});
    if (both.empty()) return {};
    return {both.front().in_one, both.back().in_one + both.back().count - both.front().in_one};
}

} // namespace

rectangle whole_of(const storage& s) noexcept
{
    return s.whole_rows ? rectangle{0, 0, s.shape_rows, s.shape_cols} : rectangle{0, 0, 1, s.shape_rows * s.shape_cols};
}

dealt_part find_part(const parting& p, const rectangle& whole)
{
    dealt_part found{whole, {}, {}};
    if (whole.size() == 0) {
        found.owners = {0};
        return found;
    }
    for (const unsigned i : owners_of(p.rows, whole.row, whole.rows))
        for (const unsigned j : owners_of(p.cols, whole.col, whole.cols)) found.owners.push_back(i * p.cols.parts + j);
    found.local = {p.rows.local(whole.row), p.cols.local(whole.col), whole.rows, whole.cols};
    return found;
}

rectangle held_part_of(const parting& p, unsigned rank, const rectangle& whole)
{
    const element_grid held = held_grid(p, rank);
    const position_run rows = numbers_of(held.rows, {whole.row, whole.rows});
    const position_run cols = numbers_of(held.cols, {whole.col, whole.cols});
    if (rows.count * cols.count == 0) return {};
    return {rows.first, cols.first, rows.count, cols.count};
}

} // namespace skelrt::detail
