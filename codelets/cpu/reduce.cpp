// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/skeletons.hpp"

#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/stencil/row_levels.hpp"

#include "codelets/element_memory.hpp"
#include <cstring>
#include <vector>

namespace skelrt::detail::cpu
{

void fold_columns(const recipe& what, const cpu_block& all, void* acc, bool started)
{
    constexpr std::size_t some = 128; // rows
    if (all.where.rows <= some) return what.cpu.fold_columns(all, acc, started);
    row_levels levels(what, all.where.cols);
    piece_views views(what.slots.size());
    for (std::size_t row = 0; row < all.where.rows; row += some) {
        move_views(what, all.slots, row, 0, views.data());
        const segment& s = all.where;
        const cpu_block block{
            {std::min(some, s.rows - row), s.cols, s.row0 + row, s.col0}, all.width, views.data(), all.what};
        levels.add([&](void* to) { what.cpu.fold_columns(block, to, false); });
    }
    levels.put(acc, started);
}

void reduce(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    if (has_one_copy(w.what.rule))
        return for_each_piece(w, first, last, [&](const cpu_block& b) { w.what.cpu.fold(b, w.result.data, true); });
    for_each_piece(w, first, last, [&](const cpu_block& b) {
        w.what.cpu.fold(b, p.at(share), p.started(share));
        p.start(share);
    });
}

void reduce_rows(const work& w, std::size_t first, std::size_t last)
{
    const std::size_t size = w.what.result_size;
    value_room row_value(size);
    std::size_t begin = 0; // number of the segment's first row in the result
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const segment& g = w.segments[s];
        const std::size_t from = std::max(first, begin), to = std::min(last, begin + g.rows);
        for (std::size_t r = from; r < to; ++r) {
            std::byte* const out = static_cast<std::byte*>(w.result.data) + r * size;
            if (!w.start) {
                with_block(w, s, r - begin, 1, 0, g.cols, [&](const cpu_block& b) { w.what.cpu.fold(b, out, false); });
                continue;
            }
            std::memcpy(out, w.start, size);
            if (g.cols == 0) continue;
            with_block(w, s, r - begin, 1, 0, g.cols,
                       [&](const cpu_block& b) { w.what.cpu.fold(b, row_value.data(), false); });
            w.what.cpu.combine(out, row_value.data(), 1);
        }
        begin += g.rows;
    }
}

void reduce_columns(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    std::size_t begin = 0;
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const segment& g = w.segments[s];
        const std::size_t from = std::max(first, begin), to = std::min(last, begin + g.rows);
        if (from < to) {
            with_block(w, s, from - begin, to - from, 0, g.cols,
                       [&](const cpu_block& b) { fold_columns(w.what, b, p.at(share), p.started(share)); });
            p.start(share);
        }
        begin += g.rows;
    }
}

} // namespace skelrt::detail::cpu
