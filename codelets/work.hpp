// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <array>
#include <cstddef>
#include <span>

/// What one task has to do, after the runtime has brought the data: plain pointers, no StarPU.
namespace skelrt::detail
{

constexpr std::size_t divided_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// What surrounds one segment of a hood operand on the axis that tiles cut. A line is one position on that axis: an
/// element of a vector, a row of a matrix, a plane of a tensor. Lines follow each other in memory without gaps.
struct hood_view {
    /// The `steps * reach` lines in front of the segment's first and behind its last, in memory of the same device.
    /// Null: the grid ends there, and the border rule makes what is missing. Never null under border_rule::cyclic.
    /// Where the grid ends within these lines, the border rule has filled the rest.
    slot_view before{}, after{};
    const void* border_value = nullptr; ///< border_rule::constant: one element, host memory
};

/// The grid of a stencil: planes, rows, columns. A call on a tensor has planes as rows.
inline void set_grid(std::size_t (&grid)[3], int rank, std::size_t rows, std::size_t cols, const index_widths& width)
{
    const bool volume = rank == 3;
    grid[0] = volume ? rows : 1;
    grid[1] = volume ? cols / width.line : rows;
    grid[2] = volume ? width.line : cols;
}

struct work {
    const recipe& what;
    bool matrix; ///< two-dimensional call; a tensor is one, too
    index_widths width;
    std::span<const segment> segments;
    /// slots of segment s: slots[s * what.slots.size() + k]. For a map the last slot of each segment is the result.
    std::span<const slot_view> slots;

    /// Reductions and filters only.
    ///   reduce: one value of the type what.result, the reduction of all segments in their order
    ///   reduce_rows: `result.data` has one value per row of the segments, one after the other
    ///   reduce_columns: one value per column of the call; all segments have the same columns
    ///   filter: one 64-bit number per segment: so many elements, from its first on, are results. All results of a work
    ///   follow each other in the segments' order, but there may be gaps behind those of a segment
    slot_view result{};
    /// Start value (host memory, which stays until the task is done), null: none. reduce, reduce_columns: in front of
    /// every result, where the work is the whole call; reduce_rows, scan_rows: in front of every row; scan,
    /// scan_columns: in front of the first position, of each column, unless something was carried in; all_pairs: in
    /// front of every element. Others never see it here.
    const void* start = nullptr;
    /// Device memory for partial results, at least as large as the backend's scratch_bytes() said; null on the CPU.
    slot_view scratch{};

    /// Scans only: the running value (scan_columns: one per column), handed from one work of a call to the next, in
    /// memory of the device. Null data: nobody came before, nobody comes after.
    slot_view carry{};
    bool carried_in = false; ///< carry holds what comes in front of the first position; it is updated in any case
    /// Scans of vectors on cores only: so many of the first segments are scanned by others. They have no result here,
    /// and are read for what comes in front of the segments behind them.
    std::size_t front = 0;

    /// CPU only: maps, scans and single steps of stencils write results past the caches.
    bool streams = false;

    std::size_t depth = 1; ///< all_pairs only: elements of a row of either side
    bool begun = false;    ///< all_pairs only: what the result holds comes in front of what is combined with it

    /// Stencils only. Hood operand h (in the order of the hood slots) of segment s: hoods[s * number of hood slots +
    /// h].
    std::span<const hood_view> hoods{};
    std::size_t grid[3] = {1, 1, 1}; ///< planes, rows, columns of the whole grid; a vector has only columns
    /// The call's first position in the grid, of which it may be a part. Segments and indices count in the call.
    std::size_t corner[3] = {0, 0, 0};
    /// How often the function is applied; more than once only with one hood, whose type is the result's, and, unless
    /// there are colors, no element operand.
    unsigned steps = 1;
    /// Red-black: in step t, from 0, positions whose indices' sum modulo 2 is not (color + t) modulo 2 keep their
    /// element, which has the result's type; -1: all change.
    int color = -1;
    unsigned block = 0; ///< CUDA and OpenCL only: threads of a block; 0: as the backend likes it
    /// Several steps with colors: the work is the whole grid, a matrix, and hoods see only the other color around their
    /// position. In host memory it has no gaps, and hoods tell the border's value only.
    bool red_black() const { return color >= 0 && steps > 1; }

    const slot_view& slot(std::size_t s, std::size_t k) const { return slots[s * what.slots.size() + k]; }
};

/// recipe::scale: what the sums of all pairs are multiplied by, and what the result holds. Null: as they are.
inline const void* sum_factor_of(const work& w)
{
    return w.what.scale ? w.slot(0, w.what.slots.size() - 3).data : nullptr;
}
inline const void* front_factor_of(const work& w)
{
    return w.what.scale ? w.slot(0, w.what.slots.size() - 2).data : nullptr;
}

/// Of skeleton::accumulate: whether the elements themselves change; `result` has their number only.
inline bool changes_elements(const work& w) { return !w.result.data; }

/// Of skeleton::accumulate: whether all threads change the same elements, rather than copies that are joined.
inline bool all_share_elements(const work& w) { return has_one_copy(w.what.rule) || changes_elements(w); }

/// Planes, rows and columns of a segment's lines, which are as long as the grid's.
inline std::array<std::size_t, 3> extents_of(const work& w, const segment& s)
{
    if (w.what.stencil.rank == 3) return {s.rows, w.grid[1], w.grid[2]};
    return {1, s.rows, w.matrix ? w.grid[2] : s.cols};
}

/// Columns of the grid that a segment has positions in, of a matrix; other calls, all of them.
struct column_range {
    std::size_t first, count;
};
inline column_range columns_of(const work& w, const segment& s)
{
    if (w.what.stencil.rank == 3 || !w.matrix) return {0, extents_of(w, s)[2]};
    return {w.corner[2], s.cols};
}

/// Whether the call writes a slot's elements; of a recipe, or what was recorded of one.
template <class Recipe>
bool is_written(const Recipe& what, std::size_t slot)
{
    const slot_kind kind = what.slots[slot].kind;
    return kind == slot_kind::output || kind == slot_kind::accumulator ||
           (has_result_slot(what.kind) && slot + 1 == what.slots.size());
}

/// Operands with what lies around their positions: as many hood_views has a segment.
inline std::size_t count_hoods(const recipe& what)
{
    std::size_t n = 0;
    for (const slot_type& slot : what.slots) n += has_surroundings(slot.kind) ? 1 : 0;
    return n;
}

/// Whether a half step of a red-black iteration sees, but for its own position, only elements of the other color, so
/// that it can be made in place.
inline bool sees_other_color(const recipe& what)
{
    const stencil_shape& s = what.stencil;
    if (s.rank != 2 || !s.cross || !what.hood_maps.empty()) return false;
    for (int a = 0; a < 3; ++a)
        if (s.before[a] > 1 || s.after[a] > 1) return false;
    std::size_t hoods = 0;
    for (const slot_type& slot : what.slots) hoods += sees_hood(slot.kind) ? 1 : 0;
    return hoods == 1;
}

/// The slot whose hoods a stencil's function sees first: elements that stay as they are are its.
inline unsigned first_hood(const recipe& what)
{
    unsigned k = 0;
    while (!sees_hood(what.slots[k].kind)) ++k;
    return k;
}

} // namespace skelrt::detail
