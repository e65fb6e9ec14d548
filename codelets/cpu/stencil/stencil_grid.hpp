// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/element_memory.hpp"
#include "codelets/work.hpp"
#include "src/function/steps/known.hpp"
#include "src/runtime/memory/small_array.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

/// Geometry of a stencil on one segment, and the padded copies of its edges. Untyped: elements are bytes.
namespace skelrt::detail::cpu
{

/// Positions of a segment, along planes, rows and columns; signed: those around it, too. Axes that a grid lacks are [0,
/// 1).
struct box {
    std::ptrdiff_t low[3], high[3];
    std::ptrdiff_t extent(int axis) const { return high[axis] - low[axis]; }
    bool empty() const { return extent(0) <= 0 || extent(1) <= 0 || extent(2) <= 0; }
};

/// The larger box from which a hood on every position of `b` reads, `times` applications deep.
box grown(const box& b, const stencil_shape& shape, unsigned times);
box intersection(const box& a, const box& b);

/// Elements in memory: position (p, r, c) lies at origin + (p * plane + r * ld + c * step) * size. Hoods have step 1.
struct brick {
    std::byte* origin = nullptr;
    std::ptrdiff_t plane = 0, ld = 0, step = 1;
    std::byte* at(std::ptrdiff_t p, std::ptrdiff_t r, std::ptrdiff_t c, std::size_t size) const
    {
        return origin + (p * plane + r * ld + c * step) * static_cast<std::ptrdiff_t>(size);
    }
};

/// One element. A call of memcpy takes longer than most elements.
inline void copy_element(std::byte* to, const void* from, std::size_t size)
{
    switch (size) {
    case 4:
        std::memcpy(to, from, 4);
        break;
    case 8:
        std::memcpy(to, from, 8);
        break;
    case 16:
        std::memcpy(to, from, 16);
        break;
    default:
        std::memcpy(to, from, size);
    }
}

/// The positions of `b` one after the other from `memory` on.
brick packed(const box& b, std::byte* memory, std::size_t size);

/// Memory for one padded box of every hood, kept by its thread.
class padding
{
public:
    /// Room for `bytes`, aligned as elements are.
    std::byte* reserve(std::size_t bytes);

private:
    struct alignas(element_align) line {
        std::byte bytes[element_align];
    };
    std::vector<line> lines_;
};

/// The axis that tiles cut: planes, rows, or the elements of a vector.
int cut_axis_of(const work& w);
/// All positions of a segment. They count from the start of its first line.
box whole_segment(const work& w, std::size_t segment);

/// One segment of a stencil's work as a part of its grid.
class stencil_segment
{
public:
    stencil_segment(const work& w, std::size_t segment);

    const work& what() const { return w_; }
    /// Operands with what lies around their positions: hoods, and what maps make hoods of.
    std::size_t hoods() const { return hoods_; }
    std::size_t hood_slot(std::size_t h) const { return hood_slots_[h]; }
    std::size_t hood_size(std::size_t h) const { return w_.what.slots[hood_slots_[h]].size; }

    /// All its positions.
    box all() const { return own_; }
    /// The whole grid, counted from the segment's origin.
    box grid() const;
    /// Positions whose hoods do not leave the grid.
    box inside() const;
    /// Positions around which every hood operand can be read in place.
    box readable() const { return readable_; }

    /// Positions of which every hood operand can be read in place.
    box at_hand() const { return grown(readable_, w_.what.stencil, 1); }
    /// Whether hoods reach beyond at_hand() only where the grid ends, whose nearest positions then count.
    bool ends_are_nearest() const;

    /// See cpu_functions::pitch.
    std::size_t wanted_pitch() const { return w_.what.cpu.pitch(&w_.slot(s_, 0)); }

    /// The steps that the function takes at every position, if it does so, in copies with such a pitch.
    std::shared_ptr<const lockstep_steps> steps(std::size_t pitch) const;

    brick source(std::size_t h) const;
    brick result() const;

    /// Copies the positions of `b`, in and around the segment, to `to`; the border rule makes what is beyond the grid.
    void copy(std::size_t h, const box& b, const brick& to) const;

    /// Gives all positions of `b` the border's value of a mapped hood.
    void put_border(const box& b, std::size_t slot, const brick& to) const;

    /// Runs a trampoline on the positions of `b`, with the hoods of slot k reading from[k], into `to`; with the steps
    /// that it takes, if it is one that does.
    void run(void (*trampoline)(const cpu_block&), const box& b, const brick* from, const brick& to,
             const lockstep_steps* steps = nullptr) const;

    /// The results of a map under a hood for the positions of `b`, of sources that lie in from[k], into `to`.
    void run_map(const hood_map& m, const box& b, const brick* from, const brick& to) const;

    /// The slot whose hoods the function sees first: elements that are kept are its.
    std::size_t first_hood() const { return detail::first_hood(w_.what); }

    /// Where the border is none: the elements of `b` that are not in inside() keep the value that from[first_hood()]
    /// has, or that the map under that hood makes of its sources there.
    void keep_edges(const box& b, const brick* from, const brick& to) const;

private:
    void find_readable();
    const std::byte* line(std::size_t h, std::ptrdiff_t x) const;
    const std::byte* row(std::size_t h, std::ptrdiff_t p, std::ptrdiff_t r) const;
    void copy_columns(std::size_t h, const std::byte* row, std::ptrdiff_t low, std::ptrdiff_t high,
                      std::byte* to) const;
    void apply(void (*trampoline)(const cpu_block&), const cpu_block& b) const;
    void run_rows(void (*trampoline)(const cpu_block&), segment where, slot_view* views) const;
    void keep_color(const box& b, const brick& from, const brick& to) const;
    /// Calls keep(run) for the runs of a row of `b` that are not in inside().
    template <class Keep>
    void for_each_edge(const box& b, Keep keep) const;

    const work& w_;
    std::size_t s_;
    int cut_;                  ///< the axis that tiles cut
    box own_;                  ///< its positions
    std::ptrdiff_t extent_[3]; ///< of its lines, which are as long as the grid's
    std::ptrdiff_t origin_[3]; ///< where they begin in the grid
    std::ptrdiff_t grid_[3];
    std::ptrdiff_t corner_[3]; ///< see work
    box readable_;
    bool uses_position_ = false; ///< some function asks for its index
    std::size_t hoods_ = 0;
    small_array<std::size_t, few_slots> hood_slots_; ///< the first ones
};

/// Calls body(part) for pieces of `b` of at most these extents, row after row.
template <class Body>
void for_each_part(const box& b, const std::ptrdiff_t (&most)[3], Body body)
{
    for (std::ptrdiff_t p = b.low[0]; p < b.high[0]; p += most[0])
        for (std::ptrdiff_t r = b.low[1]; r < b.high[1]; r += most[1])
            for (std::ptrdiff_t c = b.low[2]; c < b.high[2]; c += most[2])
                body(intersection({{p, r, c}, {p + most[0], r + most[1], c + most[2]}}, b));
}

/// Calls body(part) for boxes of the positions of `b` that are not in `in`.
template <class Body>
void for_each_outside(box b, const box& in, Body body)
{
    for (int a = 0; a < 3; ++a) {
        const std::ptrdiff_t low = std::clamp(in.low[a], b.low[a], b.high[a]);
        const std::ptrdiff_t high = std::clamp(in.high[a], low, b.high[a]);
        box end = b;
        end.high[a] = low;
        if (!end.empty()) body(end);
        end = b;
        end.low[a] = high;
        if (!end.empty()) body(end);
        b.low[a] = low;
        b.high[a] = high;
    }
}

} // namespace skelrt::detail::cpu
