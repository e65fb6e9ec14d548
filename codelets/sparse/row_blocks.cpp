// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/sparse/row_blocks.hpp"

#include "codelets/index_fault.hpp"

#include <algorithm>
#include <bit>

namespace skelrt::detail::sparse
{
namespace
{

/// Rows of a sparse matrix that a segment's positions belong to, and how many positions each row has.
struct segment_rows {
    std::size_t first, count, cols;
};

segment_rows rows_of(const work& w, const row_sum& sum, std::size_t s)
{
    const segment& where = w.segments[s];
    if (sum.matrix) return {where.row0, where.rows, where.cols};
    return {where.row0 * w.width.cols + where.col0, where.rows * where.cols, 1};
}

} // namespace

bool sums_rows(const recipe& what) { return row_sum_of(what) && !checks_indices(what); }

std::size_t row_at(const std::uint64_t* begin, std::size_t rows, std::size_t item) noexcept
{
    std::size_t low = 0, high = rows;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (begin[middle + 1] - begin[0] + middle + 1 <= item) low = middle + 1;
        else high = middle;
    }
    return low;
}

std::size_t share_begin(const work& w, const row_sum& sum, std::size_t share, std::size_t shares) noexcept
{
    const auto begin_of = [&](std::size_t s, std::size_t first) {
        return static_cast<const std::uint64_t*>(w.slot(s, sum.row_begin).data) + first;
    };
    const auto items_of = [&](std::size_t s) {
        const segment_rows r = rows_of(w, sum, s);
        const std::uint64_t* const begin = begin_of(s, r.first);
        return r.count == 0 ? 0 : (begin[r.count] - begin[0] + r.count) * r.cols;
    };
    std::size_t all = 0;
    for (std::size_t s = 0; s < w.segments.size(); ++s) all += items_of(s);
    std::size_t item = all / shares * share + all % shares * share / shares, elements = 0;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const segment_rows r = rows_of(w, sum, s);
        const std::size_t here = items_of(s);
        if (item < here) return elements + row_at(begin_of(s, r.first), r.count, item / r.cols) * r.cols;
        item -= here;
        elements += r.count * r.cols;
    }
    return elements;
}

std::size_t block_width(std::size_t cols) noexcept
{
    constexpr std::size_t narrow = 4; // a sector of the caches, of doubles
    const auto wasteful = [&](std::size_t width) { return 4 * divided_up(cols, width) * width > 5 * cols; };
    std::size_t width = std::bit_ceil(std::clamp<std::size_t>(cols, 1, widest_block));
    while (width > narrow && wasteful(width)) width /= 2;
    return width;
}

row_blocks row_blocks_for(const work& w, const row_sum& sum, std::size_t tile) noexcept
{
    const std::size_t all_rows = w.slot(0, sum.row_begin).cols - 1, all_entries = w.slot(0, sum.value).cols;
    std::size_t rows = 0, cols = 1;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const segment_rows r = rows_of(w, sum, s);
        rows = std::max(rows, r.count);
        cols = std::max(cols, r.cols);
    }
    row_blocks b{};
    b.width = sum.matrix ? block_width(cols) : 1;
    b.across = divided_up(cols, b.width);
    // Most blocks have more or fewer entries than the average, and should need no second tile.
    b.items = std::max<std::size_t>(tile / b.width / 8 * 7, 1);
    const double entries = static_cast<double>(all_entries) / static_cast<double>(std::max<std::size_t>(all_rows, 1));
    const auto items = static_cast<std::size_t>(static_cast<double>(rows) * (1 + entries));
    b.down = std::max<std::size_t>(divided_up(items, b.items), 1);
    return b;
}

bool fits_in_blocks(const work& w, const row_sum& sum) noexcept
{
    return sum.matrix || std::ranges::all_of(w.segments, [](const segment& s) { return s.rows <= 1; });
}

} // namespace skelrt::detail::sparse
