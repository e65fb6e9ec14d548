#include "codelets/cpu/stencil_grid.hpp"

#include "codelets/cpu/skeletons.hpp"

#include <algorithm>
#include <array>

namespace skelrt::detail::cpu
{

namespace
{

constexpr std::size_t cached_bytes = std::size_t{256} << 10; ///< rows that hoods share stay in the core's own cache

std::size_t element_bytes(const stencil_segment& s)
{
    std::size_t bytes = s.what().what.slots.back().size;
    for (std::size_t h = 0; h < s.hoods(); ++h) bytes += s.hood_size(h);
    return bytes;
}

/// Applies a trampoline to any positions of a segment: in place where the hoods stay in readable memory, on padded copies
/// elsewhere.
class pass
{
public:
    pass(const stencil_segment& s, void (*trampoline)(const cpu_block&))
        : s_(s), trampoline_(trampoline), in_place_(s.hoods()), padded_(s.hoods()), to_(s.result())
    {
        for (std::size_t h = 0; h < s.hoods(); ++h) in_place_[h] = s.source(h);
    }

    void over(box b)
    {
        if (s_.what().what.stencil.border == border_rule::none) {
            s_.keep_edges(b, in_place_[0], to_);
            b = intersection(b, s_.inside());
        }
        if (!b.empty()) peel(b, 0);
    }

    void padded(const box& b)
    {
        static thread_local std::vector<padding> memory;
        memory.resize(std::max(memory.size(), s_.hoods()));
        const box around = grown(b, s_.what().what.stencil, 1);
        for (std::size_t h = 0; h < s_.hoods(); ++h) {
            const std::size_t size = s_.hood_size(h);
            const auto elements = static_cast<std::size_t>(around.extent(0) * around.extent(1) * around.extent(2));
            padded_[h] = packed(around, memory[h].reserve(elements * size), size);
            s_.copy(h, around, padded_[h]);
        }
        s_.run(trampoline_, b, padded_.data(), to_);
    }

private:
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
        for_each_part(b, {4, 64, 2048}, [&](const box& part) { padded(part); });
    }

    /// In parts whose rows (planes) stay in the cache until the next row (plane) has read them. Short rows, and shorter
    /// ones for colors, which are sorted out after each part.
    void middle(const box& b)
    {
        const stencil_shape& shape = s_.what().what.stencil;
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

    const stencil_segment& s_;
    void (*trampoline_)(const cpu_block&);
    std::vector<brick> in_place_, padded_;
    brick to_;
};

/// Rows of planes `first` .. `last` of a segment, counted through its planes, or elements of a grid without planes.
std::array<box, 3> boxes(const box& all, std::ptrdiff_t first, std::ptrdiff_t last, int axis)
{
    const std::ptrdiff_t n = all.extent(axis);
    const std::ptrdiff_t low = first / n, high = last / n;
    const auto part = [&](std::ptrdiff_t outer, std::ptrdiff_t outer_end, std::ptrdiff_t inner,
                          std::ptrdiff_t inner_end) {
        box b = all;
        b.low[axis - 1] = outer;
        b.high[axis - 1] = outer_end;
        b.low[axis] = inner;
        b.high[axis] = inner_end;
        return b;
    };
    if (low == high) return {part(low, low + 1, first % n, last % n), part(0, 0, 0, 0), part(0, 0, 0, 0)};
    const bool broken = first % n != 0;
    return {part(low, broken ? low + 1 : low, first % n, n), part(broken ? low + 1 : low, high, 0, n),
            part(high, high + 1, 0, last % n)};
}

/// Whether shares are cut between rows, or anywhere in them.
bool cut_between_rows(const work& w, std::size_t shares)
{
    return w.what.stencil.rank == 3 || (w.matrix && w.grid[1] >= 8 * shares);
}

} // namespace

void stencil(const work& w, std::size_t share, std::size_t shares)
{
    const bool rows = cut_between_rows(w, shares);
    const int axis = rows ? 1 : 2;
    const auto units = [&](const box& b) {
        return static_cast<std::size_t>(b.extent(0) * b.extent(1) * (rows ? 1 : b.extent(2)));
    };
    std::vector<stencil_segment> segments;
    std::size_t total = 0;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        segments.emplace_back(w, s);
        total += units(segments.back().all());
    }
    const auto bound = [&](std::size_t k) { return total / shares * k + std::min(k, total % shares); };
    const std::size_t first = bound(share), last = bound(share + 1);
    std::size_t begin = 0;
    for (const stencil_segment& s : segments) {
        const box all = s.all();
        const std::size_t n = units(all), a = std::max(first, begin), b = std::min(last, begin + n);
        if (a < b) {
            pass p(s, w.what.cpu.map);
            for (const box& part :
                 boxes(all, static_cast<std::ptrdiff_t>(a - begin), static_cast<std::ptrdiff_t>(b - begin), axis))
                if (!part.empty()) p.over(part);
        }
        begin += n;
    }
}

std::size_t probe_stencil(const work& w)
{
    const stencil_segment s(w, 0);
    box first = s.all();
    for (int a = 0; a < 3; ++a) first.high[a] = std::min<std::ptrdiff_t>(first.high[a], a == 2 ? 64 : 1);
    pass(s, w.what.cpu.probe).padded(first);
    return static_cast<std::size_t>(first.extent(2));
}

} // namespace skelrt::detail::cpu
