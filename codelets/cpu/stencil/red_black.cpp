// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/skeletons.hpp"
#include "codelets/cpu/stencil/stencil_grid.hpp"

#include <algorithm>
#include <cstring>

/// All half steps of a red-black iteration on a matrix, in place. Each share has its rows in memory of its own, with
/// the border and some rows of its neighbours around them. A pass makes several half steps: row r in the first, then
/// row r - 1 in the second, and so on, so that rows stay in the cache from one half step to the next; the neighbours'
/// rows are computed once more on the way, fewer in each half step. After a pass neighbours exchange rows, and wait for
/// nobody else. The function sees elements of the other color only, so that it does not matter which rows were updated
/// before.
namespace skelrt::detail::cpu
{

namespace
{

constexpr std::size_t most_deep = 8;      ///< half steps of a pass
constexpr std::size_t rows_per_step = 16; ///< of a share: what neighbours compute twice should be little beside
constexpr std::size_t least_rows = 4;     ///< of a share
constexpr std::size_t kept_bytes = std::size_t{16} << 20; ///< threads keep memory up to this size

std::size_t row_bytes(const work& w) { return w.grid[2] * w.what.result_size; }

std::size_t depth_of(const work& w, std::size_t shares)
{
    // Beyond a cyclic edge colors change places where the rows are odd in number: nothing there can be computed twice.
    if (w.what.stencil.border == border_rule::cyclic && w.grid[1] % 2 == 1) return 1;
    return std::clamp<std::size_t>(w.grid[1] / shares / rows_per_step, 1, most_deep);
}

/// The rows of one share and what lies around them.
class share_rows
{
public:
    share_rows(const work& w, std::size_t share, std::size_t shares, row_exchange& others)
        : w_(w), others_(others), share_(share), shares_(shares), size_(w.what.result_size), cols_(signed_(w.grid[2])),
          rows_(signed_(w.grid[1])), first_(bound(share)), last_(bound(share + 1)), border_(w.what.stencil.border),
          hood_(first_hood(w.what)), views_(w.what.slots.size())
    {
        const std::ptrdiff_t line = 64 % size_ == 0 ? signed_(64 / size_) : 1; // rows begin with a cache line
        ld_ = (line + cols_ + 1 + line - 1) / line * line;
        const std::size_t deep = others.depth();
        const std::size_t bytes = static_cast<std::size_t>((last_ - first_ + 2 * signed_(deep)) * ld_) * size_;
        for (std::size_t k = 0; k < views_.size(); ++k) {
            views_[k] = w.slot(0, k);
            if (k != hood_ && k + 1 < views_.size() && moves(w.what.slots[k].kind)) elements_.push_back(k);
        }
        views_[hood_].ld = views_.back().ld = static_cast<std::size_t>(ld_);
        views_.back().stride = 1;
        static thread_local padding kept;
        origin_ = (bytes <= kept_bytes ? kept : own_).reserve(bytes) + (signed_(deep) - first_) * ld_ * signed_(size_) +
                  line * signed_(size_);
    }

    /// The grid as it is before the first half step.
    void load()
    {
        const slot_view& from = w_.slot(0, hood_);
        const auto deep = signed_(others_.depth());
        for (std::ptrdiff_t r = first_ - deep; r < last_ + deep; ++r) {
            if (is_row(r)) {
                const auto at = static_cast<std::size_t>(resolved(r));
                std::memcpy(at_(r, 0), static_cast<const std::byte*>(from.data) + at * from.ld * size_, row_bytes(w_));
            }
            if (border_ == border_rule::constant) put_constant(r);
        }
    }

    /// So many half steps, the first of which has this number.
    void pass(std::size_t step, std::size_t count)
    {
        const auto n = signed_(count);
        for (std::ptrdiff_t front = first_ - n + 1; front < last_ + 2 * n - 1; ++front)
            for (std::ptrdiff_t s = 0; s < n; ++s) {
                const std::ptrdiff_t r = front - s, around = n - 1 - s;
                if (r >= first_ - around && r < last_ + around && is_row(r))
                    half_step(r, step + static_cast<std::size_t>(s));
            }
    }

    /// Leaves the edges for the neighbours.
    void leave(std::size_t passes)
    {
        const auto deep = signed_(others_.depth());
        for (std::ptrdiff_t k = 0; k < deep; ++k) {
            copy(others_.edge(share_, 0, passes) + k * edge_row(), at_(first_ + k, 0));
            copy(others_.edge(share_, 1, passes) + k * edge_row(), at_(last_ - deep + k, 0));
        }
        others_.progress().arrive(share_, passes);
    }

    /// Takes the neighbours'. False: one of them failed.
    bool take(std::size_t passes)
    {
        const auto deep = signed_(others_.depth());
        const bool cyclic = border_ == border_rule::cyclic;
        if (share_ > 0 || cyclic) {
            const std::size_t before = (share_ + shares_ - 1) % shares_;
            if (!others_.progress().wait_for(before, passes)) return false;
            for (std::ptrdiff_t k = 0; k < deep; ++k)
                copy(at_(first_ - deep + k, 0), others_.edge(before, 1, passes) + k * edge_row());
        }
        if (share_ + 1 < shares_ || cyclic) {
            const std::size_t behind = (share_ + 1) % shares_;
            if (!others_.progress().wait_for(behind, passes)) return false;
            for (std::ptrdiff_t k = 0; k < deep; ++k)
                copy(at_(last_ + k, 0), others_.edge(behind, 0, passes) + k * edge_row());
        }
        return true;
    }

    void store() const
    {
        const slot_view& to = w_.slot(0, w_.what.slots.size() - 1);
        for (std::ptrdiff_t r = first_; r < last_; ++r)
            copy(static_cast<std::byte*>(to.data) + static_cast<std::size_t>(r) * to.ld * size_, at_(r, 0));
    }

private:
    static std::ptrdiff_t signed_(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }
    std::ptrdiff_t bound(std::size_t share) const
    {
        const std::size_t n = w_.grid[1];
        return signed_(n / shares_ * share + std::min(share, n % shares_));
    }
    std::byte* at_(std::ptrdiff_t r, std::ptrdiff_t c) const { return origin_ + (r * ld_ + c) * signed_(size_); }
    std::ptrdiff_t edge_row() const { return cols_ * signed_(size_); }
    void copy(std::byte* to, const std::byte* from) const { std::memcpy(to, from, row_bytes(w_)); }

    bool is_row(std::ptrdiff_t r) const { return border_ == border_rule::cyclic || (r >= 0 && r < rows_); }
    std::ptrdiff_t resolved(std::ptrdiff_t r) const
    {
        return r >= 0 && r < rows_ ? r : (r % rows_ + rows_) % rows_; // divisions take long
    }

    void put_constant(std::ptrdiff_t r)
    {
        const void* const value = w_.hoods[0].border_value;
        if (is_row(r)) {
            std::memcpy(at_(r, -1), value, size_);
            std::memcpy(at_(r, cols_), value, size_);
        } else {
            for (std::ptrdiff_t c = 0; c < cols_; ++c) std::memcpy(at_(r, c), value, size_);
        }
    }

    /// What lies beyond the grid's edges next to row r follows from its elements before the half step.
    void renew_border(std::ptrdiff_t r)
    {
        if (border_ != border_rule::nearest && border_ != border_rule::cyclic) return;
        const bool cyclic = border_ == border_rule::cyclic;
        std::memcpy(at_(r, -1), at_(r, cyclic ? cols_ - 1 : 0), size_);
        std::memcpy(at_(r, cols_), at_(r, cyclic ? 0 : cols_ - 1), size_);
        if (cyclic) return;
        if (r == 0) copy(at_(-1, 0), at_(0, 0));
        if (r + 1 == rows_) copy(at_(rows_, 0), at_(r, 0));
    }

    void half_step(std::ptrdiff_t r, std::size_t step)
    {
        const stencil_shape& shape = w_.what.stencil;
        std::ptrdiff_t low = 0, high = cols_;
        if (border_ == border_rule::none) { // what sees beyond the edge stays
            if (r < signed_(shape.before[1]) || r >= rows_ - signed_(shape.after[1])) return;
            low = signed_(shape.before[2]);
            high = cols_ - signed_(shape.after[2]);
            if (low >= high) return;
        }
        renew_border(r);
        const auto row = static_cast<std::size_t>(resolved(r)), col = static_cast<std::size_t>(low);
        views_[hood_].data = views_.back().data = at_(r, low);
        for (const std::size_t k : elements_) {
            slot_view& v = views_[k];
            v.data =
                static_cast<std::byte*>(w_.slot(0, k).data) + (row * v.ld + col * v.stride) * w_.what.slots[k].size;
        }
        const segment where{1, static_cast<std::size_t>(high - low), row, col};
        const std::size_t color = static_cast<std::size_t>(w_.color) + step;
        w_.what.cpu.every_other(cpu_block{where, w_.width, views_.data(), &w_.what}, (row + col + color) % 2);
    }

    const work& w_;
    row_exchange& others_;
    std::size_t share_, shares_, size_;
    std::ptrdiff_t cols_, rows_, first_, last_, ld_ = 0;
    border_rule border_;
    unsigned hood_;
    std::vector<slot_view> views_;
    std::vector<std::size_t> elements_; ///< slots that move with the position, but for the grid and the result
    padding own_;
    std::byte* origin_ = nullptr; ///< the element in row 0 and column 0 of the grid, wherever that is
};

void run_passes(share_rows& mine, const row_exchange& rows, std::size_t steps)
{
    mine.load();
    std::size_t passes = 0;
    for (std::size_t made = 0; made < steps;) {
        if (passes > 0 && !mine.take(passes)) return;
        const std::size_t count = std::min(rows.depth(), steps - made);
        mine.pass(made, count);
        made += count;
        ++passes;
        if (made < steps) mine.leave(passes);
    }
    mine.store();
}

} // namespace

row_exchange::row_exchange(const work& w, std::size_t shares)
    : depth_(depth_of(w, shares)), edge_bytes_((depth_ * row_bytes(w) + 63) / 64 * 64),
      memory_(std::make_unique_for_overwrite<std::byte[]>(shares * 4 * edge_bytes_)), progress_(shares)
{
}

std::size_t red_black_shares(const work& w, std::size_t wanted) noexcept
{
    return std::clamp<std::size_t>(w.grid[1] / least_rows, 1, wanted);
}

void red_black(const work& w, std::size_t share, std::size_t shares, row_exchange& rows)
{
    try {
        share_rows mine(w, share, shares, rows);
        run_passes(mine, rows, w.steps);
    } catch (...) {
        rows.progress().give_up();
        throw;
    }
}

} // namespace skelrt::detail::cpu
