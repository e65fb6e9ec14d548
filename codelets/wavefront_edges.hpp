// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

#include <cstddef>

namespace skelrt::detail
{

/// What lies around the blocks of a wavefront in host memory: results of other blocks, or the call's edges.
class wavefront_edges
{
public:
    explicit wavefront_edges(const work& w) : w_(w), slots_(w.what.slots.size()), size_(w.what.result_size) {}

    /// Around a block of segment s that begins with this row of the call, which has this number in the segment, and
    /// with this column; `slots`: the block's own.
    block_front around(std::size_t s, std::size_t row, std::size_t in_segment, std::size_t col,
                       const slot_view* slots) const
    {
        const slot_view& result = slots[slots_ - 1];
        const view above = row == 0 ? along_top(col) : row_above(s, in_segment, col);
        const view left = col == 0 ? along_left(row) : view{moved(result.data, -result.stride), result.ld};
        const void* const corner = row == 0   ? (col == 0 ? outside() : along_top(col - 1).first)
                                   : col == 0 ? along_left(row - 1).first
                                              : moved(above.first, -result.stride);
        return {above.first, above.step, left.first, left.step, corner, result};
    }

private:
    struct view {
        const void* first;
        std::size_t step;
    };

    const void* outside() const { return w_.slot(0, 0).data; }
    view along_top(std::size_t col) const { return along(slots_ - 3, col); }
    view along_left(std::size_t row) const { return along(slots_ - 2, row); }
    view along(std::size_t slot, std::size_t at) const
    {
        if (!w_.what.has_edges) return {outside(), 0};
        return {moved(w_.slot(0, slot).data, at), 1};
    }
    view row_above(std::size_t s, std::size_t in_segment, std::size_t col) const
    {
        if (in_segment == 0) {
            do --s;
            while (w_.segments[s].rows == 0);
            in_segment = w_.segments[s].rows;
        }
        const slot_view& v = w_.slot(s, slots_ - 1);
        return {moved(v.data, (in_segment - 1) * v.ld + col * v.stride), v.stride};
    }
    /// So many elements on; a step back is counted modulo the range of sizes.
    const void* moved(const void* from, std::size_t elements) const
    {
        return static_cast<const std::byte*>(from) + static_cast<std::ptrdiff_t>(elements * size_);
    }

    const work& w_;
    std::size_t slots_, size_;
};

} // namespace skelrt::detail
