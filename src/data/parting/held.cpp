#include "src/data/parting/held.hpp"

#include "src/cluster/other_ranks.hpp"
#include "src/cluster/peers.hpp"
#include "src/runtime/running.hpp"

namespace skelrt::detail
{

held_part all_held(std::size_t rows, std::size_t cols) noexcept { return {rows, cols, rows, cols, 0, nullptr}; }

held_part held_by(const parting& p, unsigned rank) noexcept
{
    return {p.rows_of(rank), p.cols_of(rank), p.rows.extent, p.cols.extent, p.block_of(rank).first, &p};
}

held_part new_part(std::size_t rows, std::size_t cols, bool whole_rows)
{
    const peers* const ranks = other_ranks(running::current());
    if (!ranks) return all_held(rows, cols);
    const auto count = static_cast<unsigned>(ranks->size());
    return held_by(*intern(balanced(rows, cols, whole_rows, count)), static_cast<unsigned>(ranks->rank()));
}

held_part part_of(const storage& s) noexcept { return {s.rows, s.cols, s.shape_rows, s.shape_cols, s.first, s.dealt}; }

void set_part(storage& s, const held_part& p) noexcept
{
    s.rows = p.rows;
    s.cols = p.cols;
    s.shape_rows = p.shape_rows;
    s.shape_cols = p.shape_cols;
    s.first = p.first;
    s.dealt = p.dealt;
}

} // namespace skelrt::detail
