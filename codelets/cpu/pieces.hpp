// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"
#include "src/runtime/memory/small_array.hpp"

#include <algorithm>

namespace skelrt::detail::cpu
{

/// The views of a piece's slots.
using piece_views = small_array<slot_view, few_slots>;

/// Operands as a block sees them that begins so many rows and columns further on. In place, too.
inline void move_views(const recipe& what, const slot_view* from, std::size_t rows, std::size_t cols, slot_view* to)
{
    for (std::size_t k = 0; k < what.slots.size(); ++k) {
        to[k] = from[k];
        if (!moves(what.slots[k].kind) || !to[k].data) continue; // no data: work::front
        const std::size_t skip = rows * to[k].ld + cols * to[k].stride;
        to[k].data = static_cast<std::byte*>(to[k].data) + way(skip, what.slots[k].size);
    }
}

inline std::size_t row_count(const work& w) noexcept
{
    std::size_t n = 0;
    for (const segment& s : w.segments) n += s.rows;
    return n;
}

/// Rectangles of a block of at most so many rows and columns, counted within it, row by row.
template <class Body>
void for_each_tile(const segment& block, std::size_t rows, std::size_t cols, Body body)
{
    for (std::size_t r = 0; r < block.rows; r += rows)
        for (std::size_t c = 0; c < block.cols; c += cols)
            body(segment{std::min(rows, block.rows - r), std::min(cols, block.cols - c), r, c});
}

/// Such a rectangle as a block of its own, with these operands.
inline cpu_block tile_of(const cpu_block& b, const segment& tile, const slot_view* views)
{
    return {
        {tile.rows, tile.cols, b.where.row0 + tile.row0, b.where.col0 + tile.col0}, b.width, views, b.what, b.steps};
}

/// All columns of a block, some at a time, handed to body(const cpu_block&, number of the first). What is kept of each
/// stays in the caches, and a function that fails everywhere does so in one portion.
template <class Body>
void for_each_columns(const cpu_block& all, Body body)
{
    constexpr std::size_t portion = std::size_t{1} << 14;
    if (all.where.cols <= portion) return body(all, 0);
    piece_views views(all.what->slots.size());
    for_each_tile({all.where.rows, all.where.cols, 0, 0}, all.where.rows, portion, [&](const segment& some) {
        move_views(*all.what, all.slots, 0, some.col0, views.data());
        body(tile_of(all, some, views.data()), some.col0);
    });
}

/// The rectangle [row, row + rows) x [col, col + cols) of segment s, counted within it, handed to body(const
/// cpu_block&).
template <class Body>
void with_block(const work& w, std::size_t s, std::size_t row, std::size_t rows, std::size_t col, std::size_t cols,
                Body body)
{
    piece_views views(w.what.slots.size());
    move_views(w.what, w.slots.data() + s * views.size(), row, col, views.data());
    const segment& whole = w.segments[s];
    body(cpu_block{{rows, cols, whole.row0 + row, whole.col0 + col}, w.width, views.data(), &w.what});
}

/// The elements [first, last) of segment s, counted row by row, as at most three rectangles in order.
template <class Body>
void for_each_rectangle(const work& w, std::size_t s, std::size_t first, std::size_t last, Body body)
{
    const std::size_t cols = w.segments[s].cols;
    std::size_t row = first / cols;
    if (const std::size_t col = first % cols; col > 0) {
        const std::size_t end = std::min(cols, col + (last - first));
        with_block(w, s, row, 1, col, end - col, body);
        first += end - col;
        ++row;
    }
    if (const std::size_t rows = (last - first) / cols; rows > 0) {
        with_block(w, s, row, rows, 0, cols, body);
        first += rows * cols;
        row += rows;
    }
    if (first < last) with_block(w, s, row, 1, 0, last - first, body);
}

/// The elements [first, last) of all segments, counted one segment after the other, as rectangles in order.
template <class Body>
void for_each_piece(const work& w, std::size_t first, std::size_t last, Body body)
{
    std::size_t begin = 0;
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const std::size_t n = w.segments[s].rows * w.segments[s].cols;
        const std::size_t a = std::max(first, begin), b = std::min(last, begin + n);
        if (a < b) for_each_rectangle(w, s, a - begin, b - begin, body);
        begin += n;
    }
}

} // namespace skelrt::detail::cpu
