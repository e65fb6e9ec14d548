// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include <fmt/format.h>

#include <algorithm>

/// A wavefront as tiles along antidiagonals, a launch for each: nothing promises that work-groups run beside each
/// other. In a tile of a GPU an item has a row, and is one column behind the one above.
namespace skelrt::detail::opencl
{

std::string wavefront_kernels(const recipe& what, const translation& functions)
{
    const std::size_t slots = what.slots.size();
    const std::string above = what.has_edges ? fmt::format("s{}.p[c]", slots - 3) : "s0",
                      left = what.has_edges ? fmt::format("s{}.p[r]", slots - 2) : "s0";
    return fmt::format("#define TOP_EDGE(c) {}\n#define LEFT_EDGE(r) {}\n#define BEFORE {}\n", above, left,
                       functions.before_type) +
           R"CL(
#define ABOVE(r, c) ((r) > 0 ? STORE_AT((r) - 1, c) : has_above ? top[(c) * above_step] : TOP_EDGE(c))
#define FIRST_LEFT(r) (c0 > 0 ? STORE_AT(r, c0 - 1) : LEFT_EDGE(row0 + (r)))
#define FIRST_DIAGONAL(r) (c0 > 0 ? ABOVE(r, c0 - 1) : row0 + (r) > 0 ? LEFT_EDGE(row0 + (r) - 1) : s0)
#define ADVANCE(r, c)                                                                                 \
    before.above = ABOVE(r, c);                                                                       \
    STORE_AT(r, c) = before.left = VALUE(r, c);                                                       \
    before.diagonal = before.above;

__kernel void skelrt_wavefront(CALL_PARAMETERS, __global uchar* above_bytes, ulong above_offset, ulong above_step,
                               ulong has_above, ulong diagonal, ulong first_down, ulong tile_rows, ulong tile_cols)
{
    CALL_VARIABLES
    __global const RESULT* top = (__global const RESULT*)(above_bytes + above_offset);
    const ulong down = first_down + get_group_id(0);
    const ulong r0 = down * tile_rows, c0 = (diagonal - down) * tile_cols;
    const ulong c1 = min(c0 + tile_cols, cols);
    BEFORE before;
#ifdef SKELRT_CPU
    for (ulong r = r0; r < min(r0 + tile_rows, rows); ++r) {
        before.left = FIRST_LEFT(r);
        before.diagonal = FIRST_DIAGONAL(r);
        for (ulong c = c0; c < c1; ++c) {
            ADVANCE(r, c)
        }
    }
#else
    const ulong mine = get_local_id(0), r = r0 + mine;
    if (r < rows) {
        before.left = FIRST_LEFT(r);
        before.diagonal = FIRST_DIAGONAL(r);
    }
    for (ulong step = 0; step < c1 - c0 + tile_rows; ++step) {
        const ulong c = c0 + step - mine;
        if (r < rows && step >= mine && c < c1) {
            ADVANCE(r, c)
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
#endif
}
)CL";
}

namespace
{

struct tile_shape {
    std::size_t rows, cols;
};

tile_shape tile_of(const kernels& k)
{
    const std::size_t items = k.items(32);
    return k.is_cpu ? tile_shape{128, 128} : tile_shape{items, 2 * items};
}

/// The last row of a segment, as the one above the next.
slot_view last_row(const work& w, std::size_t s)
{
    slot_view last = w.slot(s, w.what.slots.size() - 1);
    last.offset += (w.segments[s].rows - 1) * last.ld * w.what.result_size;
    return last;
}

/// Segment s; `above`: the last row of the one in front of it, null: it is the first.
void run_segment(const work& w, std::size_t s, const slot_view* above, kernels& k, cl_command_queue queue)
{
    const auto [height, width] = tile_of(k);
    const std::size_t down = (w.segments[s].rows + height - 1) / height,
                      across = (w.segments[s].cols + width - 1) / width;
    const slot_view& own = w.slot(s, w.what.slots.size() - 1);
    for (std::size_t d = 0; d + 1 < down + across; ++d) {
        const std::size_t first = d < across ? 0 : d - across + 1, last = std::min(d, down - 1);
        kernel_run run(k, "skelrt_wavefront", w.what);
        run.segment_of(w, s, false).buffer(above ? *above : own).number(above ? above->stride : 0);
        run.number(above ? 1 : 0).number(d).number(first).number(height).number(width);
        const std::size_t items = k.is_cpu ? 1 : height;
        run.enqueue(queue, {(last - first + 1) * items, 1}, {items, 1});
    }
}

} // namespace

void launch_wavefront(const work& w, kernels& k, cl_command_queue queue)
{
    slot_view above{};
    bool begun = false;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0 || w.segments[s].cols == 0) continue;
        run_segment(w, s, begun ? &above : nullptr, k, queue);
        above = last_row(w, s);
        begun = true;
    }
}

} // namespace skelrt::detail::opencl
