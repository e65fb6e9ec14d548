#pragma once

#include "codelets/work.hpp"
#include "src/runtime/memory/small_array.hpp"

#include <algorithm>

namespace skelrt::detail::cpu
{

/// The views of a piece's slots.
using piece_views = small_array<slot_view, few_slots>;

/// The rectangle [row, row + rows) x [col, col + cols) of segment s, counted within it, handed to body(const
/// cpu_block&).
template <class Body>
void with_block(const work& w, std::size_t s, std::size_t row, std::size_t rows, std::size_t col, std::size_t cols,
                Body body)
{
    const std::size_t n = w.what.slots.size();
    piece_views views(n);
    for (std::size_t k = 0; k < n; ++k) {
        views[k] = w.slot(s, k);
        if (!moves(w.what.slots[k].kind) || !views[k].data) continue; // no data: work::front
        const std::size_t skip = row * views[k].ld + col * views[k].stride;
        views[k].data = static_cast<std::byte*>(views[k].data) + skip * w.what.slots[k].size;
    }
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
