// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/stencil/stencil_grid.hpp"

#include "codelets/cpu/skeletons.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

/// Several applications of a stencil in one pass over memory: overlapped tiling in time. A block of results and what it
/// depends on, `steps` hoods around it, is copied to the core's own cache; each step computes a box that is one hood
/// smaller, the last one into the result. The more steps the fewer passes, and the more is computed twice where blocks
/// meet.
namespace skelrt::detail::cpu
{

namespace
{

constexpr std::size_t steps_block_bytes = std::size_t{768}
                                          << 10; ///< of two copies of a block: most of a core's second cache

/// Extents of a block of results: as large as the cache allows, long rows first, for they vectorise.
std::array<std::ptrdiff_t, 3> block_extents(const stencil_segment& s, std::size_t shares)
{
    const stencil_shape& shape = s.what().what.stencil;
    const box all = s.all();
    const auto fits = static_cast<double>(steps_block_bytes / 2 / s.hood_size(0));
    std::array<std::ptrdiff_t, 3> around{}, most{};
    for (int a = 0; a < 3; ++a)
        around[static_cast<std::size_t>(a)] =
            static_cast<std::ptrdiff_t>(s.what().steps) * (shape.before[a] + shape.after[a]);
    const auto outer = [&](std::size_t a) { return static_cast<double>(most[a] + around[a]); };
    const auto share = [&](double total, std::size_t a, std::ptrdiff_t least) {
        return std::clamp(static_cast<std::ptrdiff_t>(total) - around[a],
                          std::min(least, all.extent(static_cast<int>(a))),
                          std::max<std::ptrdiff_t>(all.extent(static_cast<int>(a)), 1));
    };
    // Columns of one block; what is left for rows and planes is as square as it can be.
    const bool line = all.extent(0) == 1 && all.extent(1) == 1;
    most[2] = line ? share(fits, 2, 1024) : std::min<std::ptrdiff_t>(all.extent(2), shape.rank == 3 ? 256 : 1024);
    const double rest = fits / outer(2);
    most[1] = shape.rank == 3 ? share(std::max(std::sqrt(rest), 1.0), 1, 8) : share(rest, 1, 8);
    most[0] = share(fits / outer(2) / outer(1), 0, 4);
    // Enough blocks for everybody.
    for (int a : {0, 1, 2}) {
        const auto blocks = [&] {
            std::size_t n = 1;
            for (int k = 0; k < 3; ++k)
                n *= static_cast<std::size_t>((all.extent(k) - 1) / most[static_cast<std::size_t>(k)] + 1);
            return n;
        };
        auto& extent = most[static_cast<std::size_t>(a)];
        while (blocks() < shares && extent > 2 * around[static_cast<std::size_t>(a)] && extent > 16)
            extent = (extent + 1) / 2;
    }
    return most;
}

/// One block after the other, with two copies of its surroundings.
class steps_pass
{
public:
    explicit steps_pass(const stencil_segment& s)
        : s_(s), shape_(s.what().what.stencil), steps_(s.what().steps), size_(s.hood_size(0)), grid_(s.grid()),
          to_(s.result()), hoods_(s.what().what.slots.size())
    {
    }

    void over(const box& b)
    {
        static thread_local padding memory[2];
        all_ = grown(b, shape_, steps_);
        const std::size_t bytes = static_cast<std::size_t>(all_.extent(0) * all_.extent(1) * all_.extent(2)) * size_;
        brick now = packed(all_, memory[0].reserve(bytes), size_), next = packed(all_, memory[1].reserve(bytes), size_);
        s_.copy(0, all_, now);
        // What no step computes: beyond the edge, and where the border is none the edge itself.
        if (keeps_some())
            std::memcpy(next.at(all_.low[0], all_.low[1], all_.low[2], size_),
                        now.at(all_.low[0], all_.low[1], all_.low[2], size_), bytes);
        for (unsigned left = steps_ - 1; left > 0; --left) {
            step(grown(b, shape_, left), now, next);
            std::swap(now, next);
        }
        if (shape_.border == border_rule::none) keep_edges(b, now);
        run(shape_.border == border_rule::none ? intersection(b, s_.inside()) : b, now, to_);
    }

private:
    void run(const box& b, const brick& from, const brick& to)
    {
        hoods_[s_.first_hood()] = from;
        s_.run(s_.what().what.cpu.map, b, hoods_.data(), to);
    }

    void keep_edges(const box& b, const brick& from)
    {
        hoods_[s_.first_hood()] = from;
        s_.keep_edges(b, hoods_.data(), to_);
    }

    bool at_edge() const
    {
        for (int a = 0; a < 3; ++a)
            if (all_.low[a] < grid_.low[a] || all_.high[a] > grid_.high[a]) return true;
        return false;
    }
    bool keeps_some() const
    {
        if (shape_.border == border_rule::none) return true;
        return shape_.border == border_rule::constant && at_edge();
    }

    void step(const box& wanted, const brick& from, const brick& to)
    {
        // Beyond a cyclic edge the grid goes on: what lies there is computed like everything else.
        if (shape_.border == border_rule::cyclic) {
            run(wanted, from, to);
            return;
        }
        const box in = intersection(wanted, shape_.border == border_rule::none ? s_.inside() : grid_);
        run(in, from, to);
        if (shape_.border == border_rule::nearest && at_edge()) spread(wanted, in, to);
    }

    /// The elements of `b` that are not in `in` become those that are nearest to them.
    void spread(const box& b, const box& in, const brick& k) const
    {
        const auto row = [&](std::ptrdiff_t p, std::ptrdiff_t r) {
            for (std::ptrdiff_t c = b.low[2]; c < in.low[2]; ++c)
                std::memcpy(k.at(p, r, c, size_), k.at(p, r, in.low[2], size_), size_);
            for (std::ptrdiff_t c = in.high[2]; c < b.high[2]; ++c)
                std::memcpy(k.at(p, r, c, size_), k.at(p, r, in.high[2] - 1, size_), size_);
        };
        const auto inside = [&](int a, std::ptrdiff_t x) { return x >= in.low[a] && x < in.high[a]; };
        const auto near = [&](int a, std::ptrdiff_t x) { return std::clamp(x, in.low[a], in.high[a] - 1); };
        for (std::ptrdiff_t p = in.low[0]; p < in.high[0]; ++p)
            for (std::ptrdiff_t r = in.low[1]; r < in.high[1]; ++r) row(p, r);
        for (std::ptrdiff_t p = b.low[0]; p < b.high[0]; ++p)
            for (std::ptrdiff_t r = b.low[1]; r < b.high[1]; ++r)
                if (!inside(0, p) || !inside(1, r))
                    std::memcpy(k.at(p, r, b.low[2], size_), k.at(near(0, p), near(1, r), b.low[2], size_),
                                static_cast<std::size_t>(b.extent(2)) * size_);
    }

    const stencil_segment& s_;
    const stencil_shape& shape_;
    unsigned steps_;
    std::size_t size_;
    box grid_, all_{};
    brick to_;
    std::vector<brick> hoods_; ///< by slot; there is one hood
};

} // namespace

void stencil_steps(const work& w, std::size_t share, std::size_t shares)
{
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const stencil_segment segment(w, s);
        const box all = segment.all();
        const std::array<std::ptrdiff_t, 3> most = block_extents(segment, shares);
        std::array<std::size_t, 3> blocks{};
        for (std::size_t a = 0; a < 3; ++a)
            blocks[a] = static_cast<std::size_t>((all.extent(static_cast<int>(a)) + most[a] - 1) / most[a]);
        const std::size_t n = blocks[0] * blocks[1] * blocks[2];
        steps_pass pass(segment);
        for (std::size_t k = n * share / shares; k < n * (share + 1) / shares; ++k) {
            const std::size_t at[3] = {k / (blocks[1] * blocks[2]), k / blocks[2] % blocks[1], k % blocks[2]};
            box b;
            for (std::size_t a = 0; a < 3; ++a) {
                b.low[a] = static_cast<std::ptrdiff_t>(at[a]) * most[a];
                b.high[a] = b.low[a] + most[a];
            }
            pass.over(intersection(b, all));
        }
    }
}

} // namespace skelrt::detail::cpu
