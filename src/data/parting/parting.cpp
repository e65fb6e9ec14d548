// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parting/parting.hpp"

#include <mutex>
#include <set>
#include <tuple>

namespace skelrt::detail
{

namespace
{

struct by_content {
    static auto key(const axis_split& a) { return std::tuple(a.extent, a.parts, a.block); }
    static auto key(const parting& p) { return std::tuple(key(p.rows), key(p.cols)); }
    bool operator()(const parting& a, const parting& b) const { return key(a) < key(b); }
};

bool is_one_block(const axis_split& a) { return a.block == 0 || a.parts == 1; }

} // namespace

bool parting::is_in_blocks() const noexcept
{
    if (cols.parts == 1) return is_one_block(rows);
    return rows.extent == 1 && rows.parts == 1 && is_one_block(cols);
}

position_run parting::block_of(unsigned rank) const noexcept
{
    if (cols.parts > 1) return cols.run(col_part(rank), 0);
    const position_run held = rows.run(row_part(rank), 0);
    return {held.first * cols.extent, held.count * cols.extent};
}

const parting* intern(const parting& p)
{
    static std::mutex guard;
    static std::set<parting, by_content>& all = *new std::set<parting, by_content>; // storages may outlive statics
    const std::lock_guard lock(guard);
    return &*all.insert(p).first;
}

parting balanced(std::size_t rows, std::size_t cols, bool whole_rows, unsigned ranks)
{
    if (whole_rows) return {{rows, ranks}, {cols, 1}};
    return {{rows, 1}, {cols, ranks}};
}

} // namespace skelrt::detail
