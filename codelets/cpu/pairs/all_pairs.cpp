// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/skeletons.hpp"

#include "codelets/blas/openblas.hpp"
#include "codelets/cpu/pairs/pair_levels.hpp"
#include "codelets/element_memory.hpp"
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

/// The loops around the typed tile: panels of a depth that keeps a strip of the right side in the first cache, blocks
/// of the left side in the second (Goto and van de Geijn, ACM TOMS 34(3), 2008).
namespace skelrt::detail::cpu
{

namespace
{

constexpr std::size_t strip_bytes = 32 << 10;  ///< of the right side: first cache
constexpr std::size_t block_bytes = 192 << 10; ///< of the left side: second cache
constexpr std::size_t panel_bytes = 2 << 20;   ///< of the right side: the third, or what the second has left

std::size_t rounded_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

/// How the loops are cut.
struct blocking {
    std::size_t depth, rows, cols;

    explicit blocking(const pair_functions& f)
    {
        depth = std::clamp<std::size_t>(strip_bytes / (f.tile_cols * f.right_size), 16, 512);
        rows = std::max<std::size_t>(block_bytes / (depth * f.left_size) / f.tile_rows, 1) * f.tile_rows;
        cols = std::max<std::size_t>(panel_bytes / (depth * f.right_size) / f.tile_cols, 1) * f.tile_cols;
    }
};

/// Memory of one thread for packed panels; grows, and stays.
class panels
{
public:
    panels(std::size_t left, std::size_t right)
    {
        const std::size_t begin = rounded_to_elements(left);
        const std::size_t bytes = begin + rounded_to_elements(right);
        static thread_local std::unique_ptr<void, decltype(&std::free)> kept(nullptr, &std::free);
        static thread_local std::size_t size = 0;
        if (size < bytes) {
            size = 0;
            kept.reset(std::aligned_alloc(element_align, bytes));
            if (!kept) throw std::bad_alloc();
            size = bytes;
        }
        left_ = static_cast<std::byte*>(kept.get());
        right_ = left_ + begin;
    }
    std::byte* left() const { return left_; }
    std::byte* right() const { return right_; }

private:
    std::byte *left_, *right_;
};

/// Rows that follow each other in memory, in all slots that move with them: one segment, or several.
struct band {
    std::size_t segment, rows;
};

const std::byte* at(const void* data, std::size_t elements, std::size_t size)
{
    return static_cast<const std::byte*>(data) + elements * size;
}

bool follows(const work& w, std::size_t first, std::size_t rows, std::size_t s)
{
    const auto& slots = w.what.slots;
    for (std::size_t k = 0; k < slots.size(); ++k) {
        const slot_view &a = w.slot(first, k), &b = w.slot(s, k);
        const bool moving = slots[k].kind == slot_kind::row_vec || k + 1 == slots.size();
        if (a.ld != b.ld || b.data != at(a.data, moving ? rows * a.ld : 0, slots[k].size)) return false;
    }
    return true;
}

std::vector<band> bands_of(const work& w)
{
    std::vector<band> all;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (!all.empty() && follows(w, all.back().segment, all.back().rows, s)) all.back().rows += w.segments[s].rows;
        else all.push_back({s, w.segments[s].rows});
    }
    return all;
}

/// The rectangle [row, row + rows) x [col, col + cols) of a band.
struct rectangle {
    std::size_t row, rows, col, cols;
};

class product
{
public:
    product(const work& w, const band& b, const rectangle& r)
        : work_(w), f_(*w.what.cpu.pairs), cut_(f_), band_(b), all_(r),
          memory_(std::min(cut_.rows, rounded_up(r.rows, f_.tile_rows)) * cut_.depth * f_.left_size,
                  std::min(cut_.cols, rounded_up(r.cols, f_.tile_cols)) * cut_.depth * f_.right_size)
    {
    }

    void run()
    {
        for (std::size_t col = 0; col < all_.cols; col += cut_.cols)
            columns({all_.row, all_.rows, all_.col + col, std::min(cut_.cols, all_.cols - col)});
    }

private:
    /// Panel after panel. The result is where a group's are added up.
    void columns(const rectangle& r)
    {
        pair_levels levels(work_.what);
        const slot_view& to = result();
        const pair_levels::tile group{at(r.row, r.col), r.rows, r.cols, to.ld};
        const std::size_t group_depth = pair_levels::fan * cut_.depth;
        for (std::size_t k = 0; k < work_.depth; k += cut_.depth) {
            const bool begins = k % group_depth == 0;
            if (begins && k > 0) levels.add(group);
            panel(r, k, !begins || (k == 0 && work_.begun));
        }
        levels.put_in_front_of(group);
    }

    void panel(const rectangle& r, std::size_t k, bool begun)
    {
        const std::size_t depth = std::min(cut_.depth, work_.depth - k);
        const slot_view* const slots = &work_.slot(band_.segment, 0);
        f_.pack_right({slots, r.col, r.cols, 0, k, depth, work_.depth, &work_.what}, memory_.right());
        for (std::size_t row = 0; row < r.rows; row += cut_.rows) {
            const std::size_t rows = std::min(cut_.rows, r.rows - row);
            const std::size_t origin = work_.segments[band_.segment].row0;
            f_.pack_left({slots, r.row + row, rows, origin, k, depth, work_.depth, &work_.what}, memory_.left());
            multiply({r.row + row, rows, r.col, r.cols}, depth, k == 0, begun);
        }
    }

    /// The packed panels of one block of the result.
    void multiply(const rectangle& r, std::size_t depth, bool first, bool begun) const
    {
        const void* const start = first ? work_.start : nullptr;
        const void* const of_front = first ? front_factor_of(work_) : nullptr; // later it holds sums of ours
        for (std::size_t j = 0; j < r.cols; j += f_.tile_cols)
            for (std::size_t i = 0; i < r.rows; i += f_.tile_rows)
                f_.tile({memory_.left() + i * depth * f_.left_size, memory_.right() + j * depth * f_.right_size, depth,
                         at(r.row + i, r.col + j), result().ld, std::min<std::size_t>(f_.tile_rows, r.rows - i),
                         std::min<std::size_t>(f_.tile_cols, r.cols - j), start, begun, sum_factor_of(work_),
                         of_front});
    }

    const slot_view& result() const { return work_.slot(band_.segment, work_.what.slots.size() - 1); }
    std::byte* at(std::size_t row, std::size_t col) const
    {
        return static_cast<std::byte*>(result().data) + (row * result().ld + col) * work_.what.result_size;
    }

    const work& work_;
    const pair_functions& f_;
    blocking cut_;
    band band_;
    rectangle all_;
    panels memory_;
};

/// Shares lie in a grid whose rectangles are as square as can be: what a thread packs is then least.
struct share_grid {
    std::size_t down = 1, across = 1;

    share_grid(std::size_t rows, std::size_t cols, std::size_t shares, const pair_functions& f)
    {
        double least = std::numeric_limits<double>::max();
        for (std::size_t d = 1; d <= shares; ++d) {
            if (shares % d != 0) continue;
            const auto height = static_cast<double>(rounded_up((rows + d - 1) / d, f.tile_rows));
            const auto width = static_cast<double>(rounded_up((cols + shares / d - 1) / (shares / d), f.tile_cols));
            // The largest share's time: its tiles, and its part of packing.
            const double cost = height * width + 8 * (height + width);
            if (cost >= least) continue;
            least = cost;
            down = d;
            across = shares / d;
        }
    }
};

/// Where share number k of n begins, at the edge of a tile.
std::size_t edge(std::size_t length, std::size_t unit, std::size_t k, std::size_t n)
{
    const std::size_t units = (length + unit - 1) / unit;
    return std::min(length, (units / n * k + std::min(k, units % n)) * unit);
}

void multiply(const work& w, const band& b, const rectangle& r, bool by_blas)
{
    if (by_blas && blas::cores::multiply(w, b.segment, {r.row, r.rows, r.col, r.cols})) return;
    product(w, b, r).run();
}

} // namespace

void all_pairs(const work& w, std::size_t share, std::size_t shares, bool by_blas)
{
    const pair_functions& f = *w.what.cpu.pairs;
    std::size_t rows = 0;
    for (const segment& s : w.segments) rows += s.rows;
    if (rows == 0 || w.segments[0].cols == 0) return;
    const std::size_t cols = w.segments[0].cols;
    const share_grid grid(rows, cols, shares, f);
    const std::size_t down = share / grid.across, across = share % grid.across;
    const std::size_t first = edge(rows, f.tile_rows, down, grid.down),
                      last = edge(rows, f.tile_rows, down + 1, grid.down);
    const std::size_t left = edge(cols, f.tile_cols, across, grid.across),
                      right = edge(cols, f.tile_cols, across + 1, grid.across);
    if (left == right) return;
    std::size_t begin = 0;
    for (const band& b : bands_of(w)) {
        const std::size_t from = std::max(first, begin), to = std::min(last, begin + b.rows);
        if (from < to) multiply(w, b, {from - begin, to - from, left, right - left}, by_blas);
        begin += b.rows;
    }
}

} // namespace skelrt::detail::cpu
