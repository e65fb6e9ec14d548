// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/stencil/stencil_grid.hpp"

#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/streaming.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace skelrt::detail::cpu
{

namespace
{

std::ptrdiff_t whole(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

/// x as a position of [0, n) under a border rule; -1: none, the constant. Where the border is none nobody reads it.
std::ptrdiff_t resolved(std::ptrdiff_t x, std::ptrdiff_t n, border_rule rule)
{
    if (x >= 0 && x < n) return x;
    switch (rule) {
    case border_rule::constant:
        return -1;
    case border_rule::cyclic:
        return (x % n + n) % n;
    default:
        return x < 0 ? 0 : n - 1;
    }
}

/// `count` copies of one element.
void fill(std::byte* to, const void* element, std::ptrdiff_t count, std::size_t size)
{
    for (std::ptrdiff_t i = 0; i < count; ++i) copy_element(to + i * whole(size), element, size);
}

/// `count` elements, the first, the third and so on; to where elements are `step` apart.
template <std::size_t Size>
void copy_every_other(std::byte* to, std::ptrdiff_t step, const std::byte* from, std::ptrdiff_t count)
{
    for (std::ptrdiff_t i = 0; i < count; ++i)
        std::memcpy(to + 2 * i * step * whole(Size), from + 2 * i * whole(Size), Size);
}

void copy_every_other(std::byte* to, std::ptrdiff_t step, const std::byte* from, std::ptrdiff_t count, std::size_t size)
{
    switch (size) { // a call of memcpy for each element would take longer than the stencil
    case 4:
        return copy_every_other<4>(to, step, from, count);
    case 8:
        return copy_every_other<8>(to, step, from, count);
    case 16:
        return copy_every_other<16>(to, step, from, count);
    default:
        for (std::ptrdiff_t i = 0; i < count; ++i)
            std::memcpy(to + 2 * i * step * whole(size), from + 2 * i * whole(size), size);
    }
}

} // namespace

box grown(const box& b, const stencil_shape& shape, unsigned times)
{
    box g = b;
    for (int a = 0; a < 3; ++a) {
        g.low[a] -= whole(times) * shape.before[a];
        g.high[a] += whole(times) * shape.after[a];
    }
    return g;
}

box intersection(const box& a, const box& b)
{
    box c;
    for (int k = 0; k < 3; ++k) {
        c.low[k] = std::max(a.low[k], b.low[k]);
        c.high[k] = std::min(a.high[k], b.high[k]);
    }
    return c;
}

brick packed(const box& b, std::byte* memory, std::size_t size)
{
    brick k{memory, b.extent(1) * b.extent(2), b.extent(2), 1};
    k.origin -= (b.low[0] * k.plane + b.low[1] * k.ld + b.low[2]) * whole(size);
    return k;
}

std::byte* padding::reserve(std::size_t bytes)
{
    if (lines_.size() * sizeof(line) < bytes) lines_.resize((bytes + sizeof(line) - 1) / sizeof(line));
    return lines_.data()->bytes;
}

int cut_axis_of(const work& w) { return w.what.stencil.rank == 3 ? 0 : w.matrix ? 1 : 2; }

box whole_segment(const work& w, std::size_t segment)
{
    const int cut = cut_axis_of(w);
    box all{{0, 0, 0}, {whole(w.grid[0]), whole(w.grid[1]), whole(w.grid[2])}};
    all.high[cut] = whole(cut == 2 ? w.segments[segment].cols : w.segments[segment].rows);
    if (cut != 1) return all;
    const column_range columns = columns_of(w, w.segments[segment]);
    all.low[2] = whole(columns.first);
    all.high[2] = whole(columns.first + columns.count);
    return all;
}

stencil_segment::stencil_segment(const work& w, std::size_t s)
    : w_(w), s_(s), cut_(cut_axis_of(w)), own_(whole_segment(w, s)), hood_slots_(w.what.slots.size())
{
    const segment& g = w.segments[s];
    for (int a = 0; a < 3; ++a) {
        grid_[a] = whole(w.grid[a]);
        extent_[a] = a == cut_ ? own_.high[a] : grid_[a];
        corner_[a] = whole(w.corner[a]);
        origin_[a] = 0;
    }
    origin_[cut_] = corner_[cut_] + whole(cut_ == 2 ? g.col0 : g.row0);
    for (std::size_t k = 0; k < w.what.slots.size(); ++k)
        if (has_surroundings(w.what.slots[k].kind)) hood_slots_[hoods_++] = k;
    for (const function_call& f : w.what.calls)
        for (const argument& a : f.arguments)
            uses_position_ = uses_position_ || (a.kind != argument_kind::slot && a.kind != argument_kind::call);
    find_readable();
}

/// Lines before and behind the segment are often where they would be if the memory went on.
void stencil_segment::find_readable()
{
    readable_ = {{0, 0, 0}, {extent_[0], extent_[1], extent_[2]}};
    bool before = true, behind = true;
    const std::ptrdiff_t low = whole(w_.steps) * w_.what.stencil.before[cut_];
    const std::ptrdiff_t high = whole(w_.steps) * w_.what.stencil.after[cut_];
    for (std::size_t h = 0; h < hoods(); ++h) {
        const hood_view& v = w_.hoods[s_ * hoods() + h];
        const std::ptrdiff_t bytes = (cut_ == 2 ? 1 : whole(w_.slot(s_, hood_slots_[h]).ld)) * whole(hood_size(h));
        const auto* const data = static_cast<const std::byte*>(w_.slot(s_, hood_slots_[h]).data);
        before = before && v.before.data && static_cast<const std::byte*>(v.before.data) + low * bytes == data;
        behind = behind && v.after.data && v.after.data == data + extent_[cut_] * bytes;
    }
    if (before) readable_.low[cut_] = -low;
    if (behind) readable_.high[cut_] = extent_[cut_] + high;
    for (int a = 0; a < 3; ++a) {
        readable_.low[a] += w_.what.stencil.before[a];
        readable_.high[a] -= w_.what.stencil.after[a];
    }
}

box stencil_segment::grid() const
{
    box g;
    for (int a = 0; a < 3; ++a) {
        g.low[a] = -origin_[a];
        g.high[a] = grid_[a] - origin_[a];
    }
    return g;
}

box stencil_segment::inside() const
{
    box g = grid();
    for (int a = 0; a < 3; ++a) {
        g.low[a] += w_.what.stencil.before[a];
        g.high[a] -= w_.what.stencil.after[a];
    }
    return g;
}

bool stencil_segment::ends_are_nearest() const
{
    if (w_.what.stencil.border != border_rule::nearest || w_.steps > 1) return false;
    const box have = at_hand(), want = grown(all(), w_.what.stencil, 1), whole = grid();
    for (int a = 0; a < 3; ++a)
        if ((have.low[a] > want.low[a] && have.low[a] > whole.low[a]) ||
            (have.high[a] < want.high[a] && have.high[a] < whole.high[a]))
            return false;
    return true;
}

brick stencil_segment::source(std::size_t h) const
{
    const slot_view& v = w_.slot(s_, hood_slots_[h]);
    const bool volume = cut_ == 0;
    return {static_cast<std::byte*>(v.data), volume ? whole(v.ld) : 0, volume ? grid_[2] : whole(v.ld)};
}

brick stencil_segment::result() const
{
    const slot_view& v = w_.slot(s_, w_.what.slots.size() - 1);
    const bool volume = cut_ == 0;
    brick to{static_cast<std::byte*>(v.data), volume ? whole(v.ld) : 0, volume ? grid_[2] : whole(v.ld),
             whole(v.stride)};
    to.origin -= own_.low[2] * to.step * whole(w_.what.result_size);
    return to;
}

/// The line at position x of the cut axis, in the segment or in front of it or behind; null: the constant.
const std::byte* stencil_segment::line(std::size_t h, std::ptrdiff_t x) const
{
    const slot_view& own = w_.slot(s_, hood_slots_[h]);
    const hood_view& v = w_.hoods[s_ * hoods() + h];
    const std::ptrdiff_t bytes = (cut_ == 2 ? 1 : whole(own.ld)) * whole(hood_size(h)), n = extent_[cut_];
    const auto* const data = static_cast<const std::byte*>(own.data);
    if (x < 0 && v.before.data)
        return static_cast<const std::byte*>(v.before.data) +
               (x + whole(w_.steps) * w_.what.stencil.before[cut_]) * bytes;
    if (x >= n && v.after.data) return static_cast<const std::byte*>(v.after.data) + (x - n) * bytes;
    const std::ptrdiff_t at = resolved(x, n, w_.what.stencil.border);
    return at < 0 ? nullptr : data + at * bytes;
}

/// Column 0 of a row; null: all of it is the constant.
const std::byte* stencil_segment::row(std::size_t h, std::ptrdiff_t p, std::ptrdiff_t r) const
{
    if (cut_ == 2) return static_cast<const std::byte*>(w_.slot(s_, hood_slots_[h]).data);
    if (cut_ == 1) return line(h, r);
    const std::byte* const plane = line(h, p);
    const std::ptrdiff_t at = resolved(r, grid_[1], w_.what.stencil.border);
    return plane && at >= 0 ? plane + at * grid_[2] * whole(hood_size(h)) : nullptr;
}

void stencil_segment::copy_columns(std::size_t h, const std::byte* from, std::ptrdiff_t low, std::ptrdiff_t high,
                                   std::byte* to) const
{
    const std::size_t size = hood_size(h);
    const void* const constant = w_.hoods[s_ * hoods() + h].border_value;
    const std::ptrdiff_t n = extent_[2];
    const auto edge = [&](std::ptrdiff_t x) -> const void* {
        if (cut_ == 2) {
            const std::byte* const e = line(h, x);
            return e ? e : constant;
        }
        const std::ptrdiff_t at = resolved(x, n, w_.what.stencil.border);
        return at < 0 ? constant : from + at * whole(size);
    };
    const auto put = [&](std::ptrdiff_t x) { copy_element(to + (x - low) * whole(size), edge(x), size); };
    const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(0, low, high), last = std::clamp(n, first, high);
    for (std::ptrdiff_t x = low; x < first; ++x) put(x);
    if (last > first)
        std::memcpy(to + (first - low) * whole(size), from + first * whole(size),
                    static_cast<std::size_t>(last - first) * size);
    for (std::ptrdiff_t x = last; x < high; ++x) put(x);
}

void stencil_segment::copy(std::size_t h, const box& b, const brick& to) const
{
    const std::size_t size = hood_size(h);
    for (std::ptrdiff_t p = b.low[0]; p < b.high[0]; ++p)
        for (std::ptrdiff_t r = b.low[1]; r < b.high[1]; ++r) {
            std::byte* const out = to.at(p, r, b.low[2], size);
            if (const std::byte* const from = row(h, p, r)) copy_columns(h, from, b.low[2], b.high[2], out);
            else fill(out, w_.hoods[s_ * hoods() + h].border_value, b.extent(2), size);
        }
}

void stencil_segment::put_border(const box& b, std::size_t slot, const brick& to) const
{
    const std::size_t size = w_.what.slots[slot].size;
    for (std::ptrdiff_t p = b.low[0]; p < b.high[0]; ++p)
        for (std::ptrdiff_t r = b.low[1]; r < b.high[1]; ++r)
            fill(to.at(p, r, b.low[2], size), w_.slot(s_, slot).data, b.extent(2), size);
}

std::shared_ptr<const lockstep_steps> stencil_segment::steps(std::size_t pitch) const
{
    return known_steps(w_.what, &w_.slot(s_, 0), pitch);
}

void stencil_segment::run(void (*trampoline)(const cpu_block&), const box& b, const brick* from, const brick& to,
                          const lockstep_steps* steps) const
{
    if (b.empty()) return;
    const std::size_t n = w_.what.slots.size();
    piece_views room(n);
    slot_view* const views = room.data();
    const bool volume = cut_ == 0, down = w_.what.stencil.down;
    for (std::ptrdiff_t p = b.low[0]; p < b.high[0]; ++p) {
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t size = w_.what.slots[k].size;
            views[k] = w_.slot(s_, k);
            slot_view& v = views[k];
            if (k + 1 == n) { // the result
                v.data = to.at(p, b.low[1], b.low[2], size);
                v.ld = static_cast<std::size_t>(to.ld);
                v.stride = static_cast<std::size_t>(to.step);
            } else if (sees_hood(w_.what.slots[k].kind)) {
                const brick& f = from[k];
                v.data = f.at(p, b.low[1], b.low[2], size);
                v.ld = static_cast<std::size_t>(f.ld);
                v.plane = static_cast<std::size_t>(volume ? f.plane : down ? f.ld : 1);
            } else if (w_.what.slots[k].kind != slot_kind::hood_source && moves(w_.what.slots[k].kind)) {
                const std::size_t ld = volume ? static_cast<std::size_t>(grid_[2]) * v.stride : v.ld;
                const std::size_t skip = (volume ? static_cast<std::size_t>(p) * v.ld : 0) +
                                         static_cast<std::size_t>(b.low[1]) * ld +
                                         static_cast<std::size_t>(b.low[2] - own_.low[2]) * v.stride;
                v.data = static_cast<std::byte*>(v.data) + skip * size;
                v.ld = ld;
            }
        }
        const std::ptrdiff_t row = origin_[1] + b.low[1] - corner_[1], col = origin_[2] + b.low[2] - corner_[2];
        segment where{static_cast<std::size_t>(b.extent(1)), static_cast<std::size_t>(b.extent(2)),
                      static_cast<std::size_t>(row), static_cast<std::size_t>(col)};
        if (volume) { // a call on a tensor counts its planes as rows
            where.row0 = static_cast<std::size_t>(origin_[0] + p);
            where.col0 = static_cast<std::size_t>(row * grid_[2] + col);
        }
        if (volume && uses_position_) run_rows(trampoline, where, views);
        else apply(trampoline, cpu_block{where, w_.width, views, &w_.what, steps});
    }
    if (w_.color >= 0) keep_color(b, from[first_hood()], to);
}

void stencil_segment::apply(void (*trampoline)(const cpu_block&), const cpu_block& b) const
{
    constexpr std::size_t worthwhile = 64; // columns: edges are done faster in place
    if (b.where.cols >= worthwhile) run_streaming(w_, b, trampoline);
    else trampoline(b);
}

void stencil_segment::run_map(const hood_map& m, const box& b, const brick* from, const brick& to) const
{
    if (b.empty()) return;
    piece_views views(m.slot - m.first + 1);
    for (std::ptrdiff_t p = b.low[0]; p < b.high[0]; ++p) {
        for (std::size_t k = m.first; k <= m.slot; ++k) {
            slot_view& v = views[k - m.first];
            v = w_.slot(s_, k);
            if (k < m.slot && w_.what.slots[k].kind != slot_kind::hood_source) continue;
            const brick& f = k < m.slot ? from[k] : to;
            v.data = f.at(p, b.low[1], b.low[2], w_.what.slots[k].size);
            v.ld = static_cast<std::size_t>(f.ld);
            v.stride = static_cast<std::size_t>(f.step);
        }
        const segment where{static_cast<std::size_t>(b.extent(1)), static_cast<std::size_t>(b.extent(2)), 0, 0};
        m.map(cpu_block{where, w_.width, views.data(), &w_.what});
    }
}

/// Rows of a plane one by one: within a block a function's row index counts planes.
void stencil_segment::run_rows(void (*trampoline)(const cpu_block&), segment where, slot_view* views) const
{
    const std::size_t rows = std::exchange(where.rows, 1);
    for (std::size_t r = 0; r < rows; ++r) {
        apply(trampoline, cpu_block{where, w_.width, views, &w_.what});
        where.col0 += static_cast<std::size_t>(grid_[2]);
        for (std::size_t k = 0; k < w_.what.slots.size(); ++k)
            if (moves(w_.what.slots[k].kind) || sees_hood(w_.what.slots[k].kind))
                views[k].data = static_cast<std::byte*>(views[k].data) + views[k].ld * w_.what.slots[k].size;
    }
}

void stencil_segment::keep_color(const box& b, const brick& from, const brick& to) const
{
    const std::size_t size = w_.what.result_size;
    for (std::ptrdiff_t p = b.low[0]; p < b.high[0]; ++p)
        for (std::ptrdiff_t r = b.low[1]; r < b.high[1]; ++r) {
            const std::ptrdiff_t sum = origin_[0] + p + origin_[1] + r + origin_[2] + b.low[2];
            const std::ptrdiff_t first = b.low[2] + ((sum + w_.color) % 2 == 0 ? 1 : 0);
            copy_every_other(to.at(p, r, first, size), to.step, from.at(p, r, first, size), (b.high[2] - first + 1) / 2,
                             size);
        }
}

template <class Keep>
void stencil_segment::for_each_edge(const box& b, Keep keep) const
{
    const box in = intersection(inside(), b);
    const auto run = [&](std::ptrdiff_t p, std::ptrdiff_t r, std::ptrdiff_t low, std::ptrdiff_t high) {
        if (low < high) keep(box{{p, r, low}, {p + 1, r + 1, high}});
    };
    for (std::ptrdiff_t p = b.low[0]; p < b.high[0]; ++p)
        for (std::ptrdiff_t r = b.low[1]; r < b.high[1]; ++r) {
            const bool any = !in.empty() && p >= in.low[0] && p < in.high[0] && r >= in.low[1] && r < in.high[1];
            run(p, r, b.low[2], any ? in.low[2] : b.high[2]);
            if (any) run(p, r, in.high[2], b.high[2]);
        }
}

void stencil_segment::keep_edges(const box& b, const brick* from, const brick& to) const
{
    const std::size_t size = w_.what.result_size, first = first_hood();
    for (const hood_map& m : w_.what.hood_maps)
        if (m.slot == first) return for_each_edge(b, [&](const box& run) { run_map(m, run, from, to); });
    for_each_edge(b, [&](const box& run) {
        for (std::ptrdiff_t c = run.low[2]; c < run.high[2]; ++c)
            std::memcpy(to.at(run.low[0], run.low[1], c, size), from[first].at(run.low[0], run.low[1], c, size), size);
    });
}

} // namespace skelrt::detail::cpu
