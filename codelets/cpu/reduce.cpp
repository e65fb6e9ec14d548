// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/skeletons.hpp"

#include "codelets/blas/openblas.hpp"
#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/stencil/row_levels.hpp"

#include "codelets/element_memory.hpp"
#include <cstring>
#include <vector>

namespace skelrt::detail::cpu
{

void fold_rows(const recipe& what, const cpu_block& all, const void* start, std::byte* out, bool by_blas)
{
    if (by_blas && blas::cores::multiply_vector(what, all, start, false, out)) return;
    if (!start) return what.cpu.fold_rows(all, out);
    constexpr std::size_t some = 64; // rows
    const std::size_t size = what.result_size, cols = all.where.cols;
    value_room room(some * size);
    piece_views views(what.slots.size());
    for (std::size_t row = 0; row < all.where.rows; row += some, out += some * size) {
        const std::size_t rows = std::min(some, all.where.rows - row);
        for (std::size_t r = 0; r < rows; ++r) std::memcpy(out + r * size, start, size);
        if (cols == 0) continue;
        move_views(what, all.slots, row, 0, views.data());
        what.cpu.fold_rows(tile_of(all, {rows, cols, row, 0}, views.data()), room.data());
        what.cpu.combine(out, room.data(), rows);
    }
}

namespace
{

void fold_some_columns(const recipe& what, const cpu_block& all, void* acc, bool started)
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

} // namespace

void fold_columns(const recipe& what, const cpu_block& all, void* acc, bool started, bool by_blas)
{
    if (by_blas && blas::cores::multiply_vector(what, all, nullptr, started, acc)) return;
    for_each_columns(all, [&](const cpu_block& some, std::size_t first) {
        fold_some_columns(what, some, static_cast<std::byte*>(acc) + first * what.result_size, started);
    });
}

void reduce(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share)
{
    if (all_share_elements(w))
        return for_each_piece(w, first, last, [&](const cpu_block& b) { w.what.cpu.fold(b, w.result.data, true); });
    for_each_piece(w, first, last, [&](const cpu_block& b) {
        w.what.cpu.fold(b, p.at(share), p.started(share));
        p.start(share);
    });
}

void reduce_rows(const work& w, std::size_t first, std::size_t last, bool by_blas)
{
    std::size_t begin = 0; // number of the segment's first row in the result
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const segment& g = w.segments[s];
        const std::size_t from = std::max(first, begin), to = std::min(last, begin + g.rows);
        std::byte* const out = static_cast<std::byte*>(w.result.data) + from * w.what.result_size;
        if (from < to)
            with_block(w, s, from - begin, to - from, 0, g.cols,
                       [&](const cpu_block& b) { fold_rows(w.what, b, w.start, out, by_blas); });
        begin += g.rows;
    }
}

void reduce_columns(const work& w, std::size_t first, std::size_t last, partials& p, std::size_t share, bool by_blas)
{
    std::size_t begin = 0;
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const segment& g = w.segments[s];
        const std::size_t from = std::max(first, begin), to = std::min(last, begin + g.rows);
        if (from < to) {
            with_block(w, s, from - begin, to - from, 0, g.cols,
                       [&](const cpu_block& b) { fold_columns(w.what, b, p.at(share), p.started(share), by_blas); });
            p.start(share);
        }
        begin += g.rows;
    }
}

} // namespace skelrt::detail::cpu
