// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/scan/scan.hpp"
#include "codelets/cuda/source.hpp"

#include <algorithm>
#include <bit>

/// Running values along each row by itself. Short rows, or many: some lanes of a warp go along a row. Few long rows: a
/// chain of tiles for each.
namespace skelrt::detail::cuda
{

const char* const scan_rows_text = R"cuda(
namespace skelrt::generated
{

inline void set_out(line& row, const grid& s, size_t r) { row.out = s.out.data + r * s.out.ld; }
inline void set_out(grid& row, const grid& s, size_t r) { row.out.data = s.out.data + r * s.out.ld; }

/// p.r.group lanes per row.
template <class Reader> inline void scan_row(const grids& p)
{
    const grid& s = p.at[blockIdx.y];
    const int size = int(p.r.group), lane = threadIdx.x % size;
    const size_t item = blockIdx.x * size_t(threads / size) + threadIdx.x / size;
    const bool idle = item >= s.rows; // stays: all lanes of a warp must take part
    const size_t r = idle ? s.rows - 1 : item;
    auto row = Reader::row(s, r);
    set_out(row, s, r);
    running front = generated::first_front(p.r, nullptr);
    const size_t step = size_t(size) * Reader::width;
    size_t i = 0;
    for (; i + depth * step <= s.cols; i += depth * step) {
        piece<Reader, depth, true> mine;
        mine.scan(row, p.u, i, i + depth * step, lane, size);
        mine.store(row, i, i + depth * step, lane, size, front, !idle);
    }
    for (; i < s.cols; i += step) {
        const size_t end = i + step < s.cols ? i + step : s.cols;
        piece<Reader, 1, false> mine;
        mine.scan(row, p.u, i, end, lane, size);
        mine.store(row, i, end, lane, size, front, !idle);
    }
}

/// p.r.chunk tiles per row, of one segment.
template <class Reader> inline void scan_row_tile(const grids& p)
{
    const grid& s = p.at[0];
    const position at = position_of(blockIdx.x, p.r.chunk);
    auto row = Reader::row(s, at.row);
    set_out(row, s, at.row);
    scan_any_tile<Reader>(row, p, at.col * tile_size<Reader>, s.cols, blockIdx.x, at.row * p.r.chunk);
}

#if SKELRT_LINES
extern "C" __global__ void __launch_bounds__(threads) scan_rows_packed(const __grid_constant__ grids p) { scan_row<packed_reader>(p); }
extern "C" __global__ void __launch_bounds__(threads) scan_rows_linear(const __grid_constant__ grids p) { scan_row<linear_reader>(p); }
extern "C" __global__ void __launch_bounds__(tile_threads, tile_blocks) scan_tiles_packed(const __grid_constant__ grids p) { scan_row_tile<packed_reader>(p); }
extern "C" __global__ void __launch_bounds__(tile_threads, tile_blocks) scan_tiles_linear(const __grid_constant__ grids p) { scan_row_tile<linear_reader>(p); }
#endif
extern "C" __global__ void __launch_bounds__(threads) scan_rows_strided(const __grid_constant__ grids p) { scan_row<strided_reader>(p); }
extern "C" __global__ void __launch_bounds__(tile_threads, tile_blocks) scan_tiles_strided(const __grid_constant__ grids p) { scan_row_tile<strided_reader>(p); }

} // namespace skelrt::generated
)cuda";

namespace
{

constexpr std::size_t many_rows = many_threads / warp_lanes / 4; ///< a warp each occupies a GPU

void add(parameter_block& block, const work& w, std::size_t s)
{
    const slot_view& out = w.slot(s, w.what.slots.size() - 1);
    block.add_grid(w, s, out.data, out.ld, out.stride);
}

void scan_long_rows(const work& w, std::size_t s, access how, std::size_t tile, const program& kernels,
                    cudaStream_t stream)
{
    const scan_scratch_layout scratch(w.what, 1);
    const std::size_t each = divided_up(w.segments[s].cols, tile), tiles = each * w.segments[s].rows;
    parameter_block block{kernels.layout};
    block.set_uniforms(w);
    block.set_reduction(each, 0, first_front(w), w.start);
    block.set_scan(scratch.states(w), nullptr, tiles);
    add(block, w, s);
    clear_states(scratch.states(w), tiles, w.what, stream);
    run(kernels.tiles[static_cast<std::size_t>(how)], {tiles}, kernels.tile_threads, block.data(), stream);
}

/// Segments of one kind of access, as many as a launch takes, from `first` on; returns the next.
std::size_t scan_many_rows(const work& w, std::size_t first, access how, const program& kernels, cudaStream_t stream)
{
    const std::size_t cols = w.segments[first].cols, width = how == access::packed ? kernels.shape.pack : 1;
    const std::size_t group = std::clamp<std::size_t>(std::bit_ceil(divided_up(cols, width)), 4, warp_lanes);
    parameter_block block{kernels.layout};
    block.set_uniforms(w);
    block.set_reduction(0, group, first_front(w), w.start);
    std::size_t most = 0;
    for (; first < w.segments.size() && block.segments() < kernels.layout.grids; ++first) {
        const segment& s = w.segments[first];
        if (s.rows == 0) continue;
        if (s.cols != cols || row_access_of(w, first, kernels.shape) != how) break;
        add(block, w, first);
        most = std::max(most, s.rows);
    }
    run(kernels.walk[static_cast<std::size_t>(how)], {divided_up(most * group, kernels.threads), block.segments()},
        kernels.threads, block.data(), stream);
    return first;
}

} // namespace

void launch_scan_rows(const work& w, const program& kernels, cudaStream_t stream)
{
    std::size_t rows = 0;
    for (const segment& s : w.segments) rows += s.rows;
    for (std::size_t s = 0; s < w.segments.size();) {
        if (w.segments[s].rows * w.segments[s].cols == 0) {
            ++s;
            continue;
        }
        const access how = row_access_of(w, s, kernels.shape);
        const std::size_t tile =
            scan_tile_elements(w.what, kernels.tile_threads) * (how == access::packed ? kernels.shape.pack : 1);
        if (rows < many_rows && w.segments[s].cols > 2 * tile) scan_long_rows(w, s++, how, tile, kernels, stream);
        else s = scan_many_rows(w, s, how, kernels, stream);
    }
}

std::size_t scan_rows_scratch(const recipe& what, std::size_t elements, unsigned block)
{
    const std::size_t tile = scan_tile_elements(what, block > 0 ? block : scan_threads());
    // Rows have more than two tiles where there are any states, so rounding up costs less than a half.
    return scan_scratch_layout(what, 1).bytes(2 * (elements / tile) + 1, what);
}

} // namespace skelrt::detail::cuda
