// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/skeletons.hpp"

#include "codelets/blas/openblas.hpp"
#include "codelets/blas/plane_product.hpp"
#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/streaming.hpp"
#include "codelets/cpu/transposed.hpp"

#include <algorithm>

namespace skelrt::detail::cpu
{

namespace
{

/// A block tells at its end that a function has failed in it. So a share of millions whose function fails everywhere
/// does so in one portion, not in each element.
void map_in_portions(const cpu_block& b)
{
    const recipe& what = *b.what;
    constexpr std::size_t portion = std::size_t{1} << 16; // elements
    if (b.where.rows * b.where.cols <= portion) return what.cpu.map(b);
    const std::size_t cols = std::min(b.where.cols, portion);
    piece_views views(what.slots.size());
    for_each_tile(b.where, portion / cols, cols, [&](const segment& part) {
        move_views(what, b.slots, part.row0, part.col0, views.data());
        what.cpu.map(tile_of(b, part, views.data()));
    });
}

void run_map(const work& w, const cpu_block& b) { run_streaming(w, b, map_in_portions); }

/// The rows of planes that begin among so many elements.
void multiply_planes(const work& w, std::size_t first, std::size_t last)
{
    const std::size_t cols = blas::plane_sizes_of(w).cols;
    blas::cores::multiply_planes(w, (first + cols - 1) / cols, (last + cols - 1) / cols);
}

} // namespace

void map(const work& w, std::size_t first, std::size_t last)
{
    if (blas::cores::multiplies_planes(w)) return multiply_planes(w, first, last);
    for_each_piece(w, first, last, [&](const cpu_block& b) {
        if (reads_transposed(w.what, b)) run_in_tiles(w, b, run_map);
        else run_map(w, b);
    });
}

} // namespace skelrt::detail::cpu
