// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/stencil/stencil_grid.hpp"

#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/skeletons.hpp"
#include "codelets/element_memory.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace skelrt::detail::cpu
{

namespace
{

constexpr std::size_t worth_recording = 4096;   ///< positions: recording steps takes as long as some thousand of them
constexpr std::size_t lockstep_row_bytes = 512; ///< of results: some dozen rows of copies stay in a core's first cache
constexpr std::size_t cached_bytes = std::size_t{256} << 10; ///< rows that hoods share stay in the core's own cache

/// Compilers make as much of loops over less, without copies: decision 59.
bool reaches_far(const stencil_shape& shape)
{
    constexpr unsigned near = 4; // 5 x 5
    return shape.before[1] + shape.after[1] > near || shape.before[2] + shape.after[2] > near;
}

std::size_t element_bytes(const stencil_segment& s)
{
    std::size_t bytes = s.what().what.slots.back().size;
    for (std::size_t h = 0; h < s.hoods(); ++h) bytes += s.hood_size(h);
    return bytes;
}

/// Applies a trampoline to any positions of a segment: in place where the hoods stay in readable memory, on padded
/// copies elsewhere.
class pass
{
public:
    pass(const stencil_segment& s, void (*trampoline)(const cpu_block&), const brick& to, std::size_t positions)
        : s_(s), what_(s.what().what), trampoline_(trampoline), in_place_(what_.slots.size()),
          padded_(what_.slots.size()), to_(to)
    {
        for (std::size_t h = 0; h < s.hoods(); ++h) in_place_[s.hood_slot(h)] = s.source(h);
        replicates_ = only_maps(what_) && s.ends_are_nearest();
        if (what_.cpu.pitch && what_.hood_maps.empty()) pitch_ = static_cast<std::ptrdiff_t>(s.wanted_pitch());
        if (what_.cpu.lockstep && to.step == 1 && positions >= worth_recording && reaches_far(what_.stencil)) record();
    }

    void over(box b)
    {
        if (what_.stencil.border == border_rule::none) {
            edges(b);
            b = intersection(b, s_.inside());
        }
        if (b.empty()) return;
        if (steps_) edge(b); // copies have what is beyond the edges, too
        else if (replicates_) mapped_middle(b);
        else if (has_short_rows(b)) short_rows(b);
        else peel(b, 0);
    }

    void padded(const box& b)
    {
        const box around = grown(b, what_.stencil, 1);
        for (std::size_t h = 0; h < s_.hoods(); ++h) {
            const std::size_t slot = s_.hood_slot(h);
            padded_[slot] = room_for(slot, around);
            s_.copy(h, what_.slots[slot].kind == slot_kind::hood_source ? mapped_part(around) : around, padded_[slot]);
        }
        make_hoods(around, padded_);
        s_.run(trampoline_, b, padded_.data(), to_, steps_.get());
    }

private:
    /// Copies have rows of whole lines of the caches, oddly many: so they begin in different sets.
    void record()
    {
        const std::size_t size = what_.result_size, reach = what_.stencil.before[2] + what_.stencil.after[2];
        const std::size_t lines = ((lockstep_row_bytes + reach * size) / line_bytes + 1) | 1;
        steps_ = s_.steps(lines * line_bytes / size);
        if (!steps_) return;
        pitch_ = static_cast<std::ptrdiff_t>(lines * line_bytes / size);
        trampoline_ = what_.cpu.lockstep;
    }

    /// Positions whose hoods leave the grid, where the border is none.
    void edges(const box& b)
    {
        if (!what_.cpu.edge) return s_.keep_edges(b, in_place_.data(), to_);
        for_each_outside(b, s_.inside(), [&](const box& part) {
            if (!what_.hood_maps.empty()) make_hoods(part, in_place_);
            s_.run(what_.cpu.edge, part, in_place_.data(), to_);
        });
    }

    /// Gives positions of `around` that are not in `in` the element of the nearest one that is.
    static void replicate(const box& around, const box& in, const brick& to, std::size_t size)
    {
        const auto nearest = [&](std::ptrdiff_t x, int a) { return std::clamp(x, in.low[a], in.high[a] - 1); };
        for (std::ptrdiff_t p = in.low[0]; p < in.high[0]; ++p)
            for (std::ptrdiff_t r = in.low[1]; r < in.high[1]; ++r) {
                const auto put = [&](std::ptrdiff_t c) {
                    copy_element(to.at(p, r, c, size), to.at(p, r, nearest(c, 2), size), size);
                };
                for (std::ptrdiff_t c = around.low[2]; c < in.low[2]; ++c) put(c);
                for (std::ptrdiff_t c = in.high[2]; c < around.high[2]; ++c) put(c);
            }
        const std::size_t row = static_cast<std::size_t>(around.extent(2)) * size;
        for (std::ptrdiff_t p = around.low[0]; p < around.high[0]; ++p)
            for (std::ptrdiff_t r = around.low[1]; r < around.high[1]; ++r)
                if (nearest(p, 0) != p || nearest(r, 1) != r)
                    std::memcpy(to.at(p, r, around.low[2], size),
                                to.at(nearest(p, 0), nearest(r, 1), around.low[2], size), row);
    }

    /// A packed box of a slot's elements, in memory that the thread keeps; its rows as far apart as the loops like it.
    brick room_for(std::size_t slot, const box& b) const
    {
        static thread_local std::vector<padding> memory;
        memory.resize(std::max(memory.size(), what_.slots.size()));
        const std::size_t size = what_.slots[slot].size;
        box room = b;
        room.high[2] = std::max(b.high[2], b.low[2] + pitch_);
        const auto elements = static_cast<std::size_t>(room.extent(0) * room.extent(1) * room.extent(2));
        return packed(room, memory[slot].reserve(elements * size + lockstep_read_ahead), size);
    }

    /// Whether all that the function sees around a position are results of maps.
    static bool only_maps(const recipe& what)
    {
        const auto hoods = std::ranges::count_if(what.slots, [](const slot_type& s) { return sees_hood(s.kind); });
        return hoods > 0 && static_cast<std::size_t>(hoods) == what.hood_maps.size();
    }

    /// Positions for which maps under hoods are computed: a constant beyond the grid is no result of theirs, and the
    /// nearest result is there already.
    box mapped_part(const box& around) const
    {
        if (replicates_) return intersection(around, s_.at_hand());
        return what_.stencil.border == border_rule::constant ? intersection(around, s_.grid()) : around;
    }

    /// The maps under hoods for all positions of `around`: what hoods[k] then holds for their slots, it did for
    /// sources.
    void make_hoods(const box& around, small_array<brick, few_slots>& hoods) const
    {
        const box in = mapped_part(around);
        for (const hood_map& m : what_.hood_maps) {
            hoods[m.slot] = room_for(m.slot, around);
            bool whole = true;
            for (int a = 0; a < 3; ++a) whole = whole && in.extent(a) == around.extent(a);
            if (!whole && !replicates_) s_.put_border(around, m.slot, hoods[m.slot]);
            s_.run_map(m, in, hoods.data(), hoods[m.slot]);
            if (!whole && replicates_) replicate(around, in, hoods[m.slot], what_.slots[m.slot].size);
        }
    }

    /// Whether both ends of its rows are edges, and take longer one by one than a copy of all.
    bool has_short_rows(const box& b) const
    {
        constexpr std::size_t short_bytes = 1024;
        std::size_t bytes = 0;
        for (std::size_t h = 0; h < s_.hoods(); ++h) bytes += static_cast<std::size_t>(b.extent(2)) * s_.hood_size(h);
        return bytes <= short_bytes && b.low[2] < s_.readable().low[2] && b.high[2] > s_.readable().high[2];
    }

    void short_rows(const box& b)
    {
        constexpr std::ptrdiff_t planes = 8, rows = 32; // those around each part are copied once more
        for_each_part(b, {planes, rows, b.extent(2)}, [&](const box& part) { padded(part); });
    }

    /// Both ends of the box along each axis in turn, then what is left in the middle.
    void peel(box b, int axis)
    {
        if (axis == 3) {
            middle(b);
            return;
        }
        const std::ptrdiff_t low = std::clamp(s_.readable().low[axis], b.low[axis], b.high[axis]);
        const std::ptrdiff_t high = std::clamp(s_.readable().high[axis], low, b.high[axis]);
        box end = b;
        end.high[axis] = low;
        edge(end);
        end = b;
        end.low[axis] = high;
        edge(end);
        b.low[axis] = low;
        b.high[axis] = high;
        if (!b.empty()) peel(b, axis + 1);
    }

    void edge(const box& b)
    {
        const stencil_shape& shape = what_.stencil;
        const auto around = static_cast<std::ptrdiff_t>(shape.before[2] + shape.after[2]);
        const std::ptrdiff_t columns = steps_ ? static_cast<std::ptrdiff_t>(lockstep_row_bytes / what_.result_size)
                                       : pitch_ > around ? pitch_ - around
                                                         : 2048;
        for_each_part(b, {4, 64, columns}, [&](const box& part) { padded(part); });
    }

    /// In parts whose rows (planes) stay in the cache until the next row (plane) has read them. Short rows, and shorter
    /// ones for colors, which are sorted out after each part.
    void middle(const box& b)
    {
        if (!what_.hood_maps.empty()) return mapped_middle(b);
        if (pitch_ > 0) return edge(b); // on copies, whose rows are as far apart as the loops like it
        const stencil_shape& shape = what_.stencil;
        const auto lines = [&](int axis) {
            return static_cast<std::size_t>(shape.before[axis] + shape.after[axis] + 1);
        };
        const std::size_t elements = cached_bytes / element_bytes(s_);
        std::ptrdiff_t most[3] = {b.extent(0), b.extent(1), b.extent(2)};
        most[2] = std::min(most[2], static_cast<std::ptrdiff_t>(std::max<std::size_t>(1024, elements / lines(1))));
        if (shape.rank == 3)
            most[1] = std::min(most[1], std::max<std::ptrdiff_t>(8, static_cast<std::ptrdiff_t>(elements / lines(0)) /
                                                                        std::max<std::ptrdiff_t>(most[2], 1)));
        if (s_.what().color >= 0) most[0] = 1, most[1] = 1;
        // Down the columns of one strip after the other.
        for (std::ptrdiff_t c = b.low[2]; c < b.high[2]; c += most[2]) {
            box strip = b;
            strip.low[2] = c;
            strip.high[2] = std::min(c + most[2], b.high[2]);
            if (shape.rank != 3) {
                for_each_part(strip, {most[0], most[1], most[2]},
                              [&](const box& part) { s_.run(trampoline_, part, in_place_.data(), to_); });
                continue;
            }
            for (std::ptrdiff_t r = b.low[1]; r < b.high[1]; r += most[1]) {
                strip.low[1] = r;
                strip.high[1] = std::min(r + most[1], b.high[1]);
                s_.run(trampoline_, strip, in_place_.data(), to_);
            }
        }
    }

    /// In parts for which the results of maps under hoods stay in the cache, and few of them are made twice.
    void mapped_middle(const box& b)
    {
        std::size_t bytes = 0;
        for (const hood_map& m : what_.hood_maps) bytes += what_.slots[m.slot].size;
        const auto elements = static_cast<std::ptrdiff_t>(cached_bytes / 2 / bytes);
        const stencil_shape& shape = what_.stencil;
        const auto least = [&](int axis) {
            return static_cast<std::ptrdiff_t>(2 * (shape.before[axis] + shape.after[axis]));
        };
        std::ptrdiff_t most[3] = {1, 1, elements};
        if (b.extent(0) > 1) { // columns first, then as many rows as planes
            most[2] = std::clamp<std::ptrdiff_t>(b.extent(2), 1, 256);
            most[1] = std::clamp<std::ptrdiff_t>(b.extent(1), 1, std::max<std::ptrdiff_t>(16, least(1)));
            most[0] = std::max({std::ptrdiff_t{1}, elements / most[2] / most[1], least(0)});
        } else if (b.extent(1) > 1) {
            most[2] = std::clamp<std::ptrdiff_t>(b.extent(2), 1, 1024);
            most[1] = std::max({std::ptrdiff_t{1}, elements / most[2], least(1)});
        }
        for_each_part(b, most, [&](const box& part) {
            make_hoods(grown(part, shape, 1), in_place_);
            s_.run(trampoline_, part, in_place_.data(), to_);
        });
    }

    const stencil_segment& s_;
    const recipe& what_;
    void (*trampoline_)(const cpu_block&);
    small_array<brick, few_slots> in_place_, padded_;
    brick to_;
    std::ptrdiff_t pitch_ = 0;                    ///< 0: any
    std::shared_ptr<const lockstep_steps> steps_; ///< what the trampoline does at every position, if it is known
    bool replicates_ =
        false; ///< nothing has to be copied: sources are read in place, and results repeated beyond the grid
};

/// Rows of planes `first` .. `last` of a segment, counted through its planes, or elements of a grid without planes.
std::array<box, 3> boxes(const box& all, std::ptrdiff_t first, std::ptrdiff_t last, int axis)
{
    const std::ptrdiff_t n = all.extent(axis);
    const std::ptrdiff_t low = first / n, high = last / n;
    const auto part = [&](std::ptrdiff_t outer, std::ptrdiff_t outer_end, std::ptrdiff_t inner,
                          std::ptrdiff_t inner_end) {
        box b = all;
        b.low[axis - 1] = all.low[axis - 1] + outer;
        b.high[axis - 1] = all.low[axis - 1] + outer_end;
        b.low[axis] = all.low[axis] + inner;
        b.high[axis] = all.low[axis] + inner_end;
        return b;
    };
    if (low == high) return {part(low, low + 1, first % n, last % n), part(0, 0, 0, 0), part(0, 0, 0, 0)};
    const bool broken = first % n != 0;
    return {part(low, broken ? low + 1 : low, first % n, n), part(broken ? low + 1 : low, high, 0, n),
            part(high, high + 1, 0, last % n)};
}

/// Whether shares are cut between rows, or anywhere in them: where rows are few, some shares would have many more than
/// others. Maps under hoods are made once more for the rows around each part, and a share that begins and ends within
/// rows has three.
bool cut_between_rows(const work& w, std::size_t shares)
{
    if (w.what.stencil.rank == 3) return true;
    if (!w.matrix) return false;
    std::size_t rows = 0;
    for (const segment& s : w.segments) rows += s.rows;
    const std::size_t most = (rows + shares - 1) / shares;
    return 8 * most * shares <= 9 * rows || (!w.what.hood_maps.empty() && rows >= 2 * shares);
}

} // namespace

void stencil(const work& w, std::size_t share, std::size_t shares)
{
    const bool rows = cut_between_rows(w, shares);
    const int axis = rows ? 1 : 2;
    const auto units = [&](const box& b) {
        return static_cast<std::size_t>(b.extent(0) * b.extent(1) * (rows ? 1 : b.extent(2)));
    };
    std::size_t total = 0;
    for (std::size_t s = 0; s < w.segments.size(); ++s) total += units(whole_segment(w, s));
    const auto bound = [&](std::size_t k) { return total / shares * k + std::min(k, total % shares); };
    const std::size_t first = bound(share), last = bound(share + 1);
    std::size_t begin = 0;
    for (std::size_t s = 0; s < w.segments.size() && begin < last; ++s) {
        const box all = whole_segment(w, s);
        const std::size_t n = units(all), a = std::max(first, begin), b = std::min(last, begin + n);
        if (a < b) {
            const stencil_segment here(w, s);
            const std::size_t positions = (b - a) * static_cast<std::size_t>(rows ? all.extent(2) : 1);
            pass p(here, w.what.cpu.map, here.result(), positions);
            for (const box& part :
                 boxes(all, static_cast<std::ptrdiff_t>(a - begin), static_cast<std::ptrdiff_t>(b - begin), axis))
                if (!part.empty()) p.over(part);
        }
        begin += n;
    }
}

std::size_t probe_stencil(const work& w, std::size_t most, std::byte* results)
{
    const stencil_segment s(w, 0);
    // Rows in the middle, or a part of one, of positions that see no border if there are such: the ends of a row take
    // as long as many of these. Several short ones, for each needs what lies around it, too.
    box some = s.all();
    const stencil_shape& shape = w.what.stencil;
    for (int axis = 0; axis < 3; ++axis) {
        if (some.extent(axis) <= 2 * static_cast<std::ptrdiff_t>(shape.before[axis] + shape.after[axis])) continue;
        some.low[axis] += static_cast<std::ptrdiff_t>(shape.before[axis]);
        some.high[axis] -= static_cast<std::ptrdiff_t>(shape.after[axis]);
    }
    const auto keep_middle = [&](int axis, std::ptrdiff_t wanted) {
        some.low[axis] += std::max<std::ptrdiff_t>(0, (some.extent(axis) - wanted) / 2);
        some.high[axis] = std::min(some.high[axis], some.low[axis] + wanted);
    };
    keep_middle(0, 1);
    keep_middle(2, static_cast<std::ptrdiff_t>(most));
    keep_middle(1, std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(most) /
                                                   std::max<std::ptrdiff_t>(some.extent(2), 1)));
    const auto elements = static_cast<std::size_t>(some.extent(1) * some.extent(2));
    pass(s, w.what.cpu.map, packed(some, results, w.what.result_size), elements).over(some);
    return elements;
}

} // namespace skelrt::detail::cpu
