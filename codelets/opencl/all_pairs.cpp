// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include "codelets/blas/clblast.hpp"

#include <fmt/format.h>

#include <algorithm>

/// All pairs of rows. On a GPU a group of work-items, usually 16 x 16, computes a tile of the result, its panels of
/// both sides in local memory, each item some rows and columns that lie as far apart as the group reaches. On a CPU an
/// item computes whole rows, 16 columns at a time.
namespace skelrt::detail::opencl
{

std::string pair_kernels()
{
    return R"CL(
#define PAIR_PARAMETERS ulong depth, FRONT_PARAMETERS
#define TILE_ROWS (DOWN * EACH)
#define TILE_COLS (ACROSS * EACH)
#define PUT_SUM(place, sum)                                                                    \
    do {                                                                                       \
        if (in_front == 2) place = skelrt_combine(SCALED_FRONT(place), SCALED_SUM(sum));       \
        else PUT_BEHIND_FRONT(place, SCALED_SUM(sum));                                         \
    } while (0)
#define PANEL(values, side, tile, first, count)                                                \
    for (uint e = item; e < tile * PANEL_DEPTH; e += DOWN * ACROSS) {                          \
        const uint r = side##_STEP == 1 ? e / PANEL_DEPTH : e % tile;                          \
        const uint d = side##_STEP == 1 ? e % PANEL_DEPTH : e / tile;                          \
        if (k0 + d < depth) values[d][r] = side(min((first) + r, (count) - 1), k0 + d);        \
    }

/* Elements of a row that are added one by one, and sums that the next level takes together, as scan_state does. */
#define PAIR_LINKS 32
#define PAIR_FAN 32
#define PAIR_LEVELS 4

/* n sums side by side: `part` is what the next PAIR_LINKS elements give, behind so many `parts`; it is used up. */
void skelrt_pairs_up(RESULT* levels, RESULT* part, uint n, ulong parts)
{
    uint level = 0;
    for (; level + 1 < PAIR_LEVELS && parts % PAIR_FAN == PAIR_FAN - 1; ++level, parts /= PAIR_FAN)
        for (uint j = 0; j < n; ++j) part[j] = skelrt_combine(levels[level * n + j], part[j]);
    const bool alone = level + 1 < PAIR_LEVELS ? parts % PAIR_FAN == 0 : parts == 0;
    for (uint j = 0; j < n; ++j)
        levels[level * n + j] = alone ? part[j] : skelrt_combine(levels[level * n + j], part[j]);
}

/* All of so many parts in front of `part`. */
void skelrt_pairs_total(const RESULT* levels, RESULT* part, uint n, ulong parts)
{
    for (uint level = 0; parts > 0; ++level, parts /= PAIR_FAN) {
        const bool top = level + 1 == PAIR_LEVELS;
        if (top || parts % PAIR_FAN > 0)
            for (uint j = 0; j < n; ++j) part[j] = skelrt_combine(levels[level * n + j], part[j]);
        if (top) break;
    }
}

__kernel __attribute__((reqd_work_group_size(ACROSS, DOWN, 1)))
void skelrt_pairs(CALL_PARAMETERS, PAIR_PARAMETERS)
{
    CALL_VARIABLES
    START_VARIABLE
    __local LEFT_TYPE left[PANEL_DEPTH][TILE_ROWS + 1];
    __local RIGHT_TYPE right[PANEL_DEPTH][TILE_COLS + 1];
    const uint x = get_local_id(0), y = get_local_id(1), item = y * ACROSS + x;
    const ulong row = get_group_id(1) * TILE_ROWS, col = get_group_id(0) * TILE_COLS;
    RESULT sum[EACH * EACH], levels[PAIR_LEVELS * EACH * EACH];
    ulong parts = 0;
    uint links = 0; /* of this part */
    for (ulong k0 = 0; k0 < depth; k0 += PANEL_DEPTH) {
        PANEL(left, LEFT, TILE_ROWS, row, rows)
        PANEL(right, RIGHT, TILE_COLS, col, cols)
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint end = min((ulong)PANEL_DEPTH, depth - k0);
        for (uint k = 0; k < end; ++k) {
            LEFT_TYPE a[EACH];
            RIGHT_TYPE b[EACH];
            for (uint i = 0; i < EACH; ++i) a[i] = left[k][y + DOWN * i];
            for (uint j = 0; j < EACH; ++j) b[j] = right[k][x + ACROSS * j];
            for (uint i = 0; i < EACH; ++i)
                for (uint j = 0; j < EACH; ++j) {
                    const RESULT next = skelrt_zip(a[i], b[j]);
                    sum[i * EACH + j] = links > 0 ? skelrt_combine(sum[i * EACH + j], next) : next;
                }
            if (++links == PAIR_LINKS && k0 + k + 1 < depth) {
                skelrt_pairs_up(levels, sum, EACH * EACH, parts++);
                links = 0;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    skelrt_pairs_total(levels, sum, EACH * EACH, parts);
    for (uint i = 0; i < EACH; ++i)
        for (uint j = 0; j < EACH; ++j)
            if (row + y + DOWN * i < rows && col + x + ACROSS * j < cols)
                PUT_SUM(STORE_AT(row + y + DOWN * i, col + x + ACROSS * j), sum[i * EACH + j]);
}

#define RUN_COLUMNS 16
__kernel void skelrt_pairs_of_rows(CALL_PARAMETERS, PAIR_PARAMETERS)
{
    CALL_VARIABLES
    START_VARIABLE
    FOR_MY_PART(r, rows, 1)
        for (ulong col = 0; col < cols; col += RUN_COLUMNS) {
            const uint width = min((ulong)RUN_COLUMNS, cols - col);
            RESULT sum[RUN_COLUMNS], levels[PAIR_LEVELS * RUN_COLUMNS];
            ulong parts = 0;
            for (ulong k = 0;;) {
                const LEFT_TYPE first = LEFT(r, k);
                for (uint j = 0; j < width; ++j) sum[j] = skelrt_zip(first, RIGHT(col + j, k));
                const ulong end = min(k + PAIR_LINKS, depth);
                for (++k; k < end; ++k) {
                    const LEFT_TYPE a = LEFT(r, k);
                    for (uint j = 0; j < width; ++j) sum[j] = skelrt_combine(sum[j], skelrt_zip(a, RIGHT(col + j, k)));
                }
                if (k == depth) break;
                skelrt_pairs_up(levels, sum, width, parts++);
            }
            skelrt_pairs_total(levels, sum, width, parts);
            for (uint j = 0; j < width; ++j) PUT_SUM(STORE_AT(r, col + j), sum[j]);
        }
}
)CL";
}

namespace
{

constexpr std::size_t local_memory = 16 << 10; ///< of a group; the least that a device may have is 32 KiB

std::size_t size_of(const recipe& what, const argument& a)
{
    return a.kind == argument_kind::slot ? what.slots[a.which].size : what.calls[a.which].result_size;
}

/// Rows and columns of a work-item.
std::size_t each_of(const recipe& what)
{
    const auto& sides = what.calls.back().arguments;
    const std::size_t largest =
        std::max<std::size_t>({size_of(what, sides[0]), size_of(what, sides[1]), what.result_size});
    return largest <= 8 ? 4 : largest <= 32 ? 2 : 1;
}

/// As a group lies on its tile of the result.
struct group_shape {
    std::size_t down, across, each;
    std::size_t rows() const { return down * each; }
    std::size_t cols() const { return across * each; }
};

/// A square, or, of an odd power of two, twice as wide as high.
group_shape shape_of_group(const recipe& what, std::size_t items)
{
    std::size_t down = 1;
    while (4 * down * down <= items) down *= 2;
    return {down, items / down, each_of(what)};
}

} // namespace

std::size_t pair_local_bytes(const recipe& what, std::size_t items)
{
    const auto& sides = what.calls.back().arguments;
    const group_shape g = shape_of_group(what, items);
    return (g.rows() + 1) * size_of(what, sides[0]) + (g.cols() + 1) * size_of(what, sides[1]);
}

std::string pair_options(const recipe& what, std::size_t items)
{
    const group_shape g = shape_of_group(what, items);
    return fmt::format(" -DDOWN={} -DACROSS={} -DEACH={} -DPANEL_DEPTH={}", g.down, g.across, g.each,
                       std::clamp<std::size_t>(local_memory / pair_local_bytes(what, items), 1, 16));
}

void launch_all_pairs(const work& w, kernels& k, cl_command_queue queue)
{
    const bool own_groups = k.is_cpu || w.block > 0; // a BLAS has its own
    if (!own_groups && blas::opencl::multiply(w, k.context, k.device, queue)) return;
    const std::string nothing(w.what.result_size, '\0');
    const group_shape g = shape_of_group(w.what, k.items(pair_group));
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const auto rows = w.segments[s].rows, cols = w.segments[s].cols;
        if (rows == 0 || cols == 0) continue;
        kernel_run run(k, k.is_cpu ? "skelrt_pairs_of_rows" : "skelrt_pairs", w.what);
        run.segment_of(w, s, false).number(w.depth);
        run.bytes(w.start != nullptr ? w.start : nothing.data(), w.what.result_size);
        run.number(w.begun ? 2 : w.start != nullptr ? 1 : 0);
        if (k.is_cpu) run.enqueue(queue, {1, std::min(rows, 4 * k.compute_units)}, {1, 1});
        else
            run.enqueue(queue, {divided_up(cols, g.cols()) * g.across, divided_up(rows, g.rows()) * g.down},
                        {g.across, g.down});
    }
}

} // namespace skelrt::detail::opencl
