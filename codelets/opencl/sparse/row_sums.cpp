// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include "codelets/index_fault.hpp"
#include "codelets/sparse/row_blocks.hpp"

#include <fmt/format.h>

namespace skelrt::detail::opencl
{
namespace
{

/// As CUDA's kernel (codelets/cuda/sparse/row_sums.cpp), but that all items of a group look for its first row. On a CPU
/// the kernels of any map do: an item of theirs has rows of its own.
constexpr const char* row_sums_text = R"CL(
/* How many of `n` rows end within the first `item` items; all items of the group call it. `found` is an argument of the
   kernel: PoCL 3 let groups that ran at the same time change each other's, as long as it was a variable. */
static inline ulong skelrt_row_at(__global const ulong* begin, ulong n, ulong item, __local uint* found)
{
    const ulong items = get_local_size(0);
    ulong low = 0, high = n;
    while (low < high) {
        const ulong step = (high - low + items - 1) / items, probe = low + (get_local_id(0) + 1) * step - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0) *found = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (probe < high && begin[probe + 1] - begin[0] + probe + 1 <= item) atomic_inc(found);
        barrier(CLK_LOCAL_MEM_FENCE);
        low += *found * step;
        if (low + step - 1 < high) high = low + step - 1;
    }
    return low;
}

__kernel void skelrt_row_sums(CALL_PARAMETERS, ulong items_each, ulong wide, __local SUM* products, ulong tile,
                              __local uint* found)
{
    CALL_VARIABLES
    const uint items = get_local_size(0), item = get_local_id(0);
    const ulong all_rows = SUM_ROWS;
    __global const ulong* const begin = SUM_BEGIN.p + SUM_FIRST_ROW;
    const ulong all = begin[all_rows] - begin[0] + all_rows, share = (all + get_num_groups(0) - 1) / get_num_groups(0);
    const ulong own = share < items_each ? items_each : share, first_item = get_group_id(0) * own;
    const ulong last_item = first_item + own < all ? first_item + own : all;
    const ulong c = get_group_id(1) * wide + item % wide;
    const ulong first_row = skelrt_row_at(begin, all_rows, min(first_item, all), found);
    const ulong last_row = skelrt_row_at(begin, all_rows, last_item, found);
    const uint room = items / wide; /* for rows at a time */
    for (ulong at_row = first_row; at_row < last_row; at_row += room) {
        const uint n = last_row - at_row < room ? last_row - at_row : room;
        uint lanes = 1;
        while (2 * lanes * n <= room) lanes *= 2;
        const uint row = item / wide / lanes, lane = item / wide % lanes;
        const ulong last = begin[at_row + n], at_once = tile / wide;
        ulong from = 0, to = 0;
        if (row < n) from = begin[at_row + row] + lane, to = begin[at_row + row + 1];
        SUM sum = 0;
        for (ulong entry = begin[at_row]; entry < last; entry += at_once) {
            const ulong count = last - entry < at_once ? last - entry : at_once;
            for (ulong i = item / wide; i < count && item < room * wide; i += room)
                if (c < SUM_COLS)
                    products[i * wide + item % wide] = SUM_VALUE.p[entry + i] * SUM_X(SUM_COLUMN.p[entry + i], c);
            barrier(CLK_LOCAL_MEM_FENCE);
            const ulong end = to < entry + count ? to : entry + count;
            for (; from < end; from += lanes) sum += products[(from - entry) * wide + item % wide];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        products[item] = sum;
        for (uint half_of = lanes / 2; half_of > 0; half_of /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (row < n && lane < half_of) products[item] += products[item + half_of * wide];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row < n && lane == 0 && c < SUM_COLS) STORE_SUM(at_row + row, c, products[item]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
)CL";

constexpr std::size_t usual_items = 256, most_products = 2048;

/// The position of a sum in its segment, and where the sparse matrix's rows are said.
std::string vector_macros(const row_sum& sum)
{
    return "#define SUM_ROWS cols\n#define SUM_COLS 1\n#define SUM_FIRST_ROW (row0 * width + col0)\n"
           "#define STORE_SUM(r, c, sum) STORE_AT(0, r) = VALUE_WITH_SUM(0, r, sum)\n" +
           fmt::format("#define SUM_X(row, col) s{}.p[row]\n", sum.x);
}

std::string matrix_macros(const row_sum& sum)
{
    return "#define SUM_ROWS rows\n#define SUM_COLS cols\n#define SUM_FIRST_ROW row0\n"
           "#define STORE_SUM(r, c, sum) STORE_AT(r, c) = VALUE_WITH_SUM(r, c, sum)\n" +
           fmt::format("#define SUM_X(row, col) s{0}.p[(row) * s{0}.ld + (col)]\n", sum.x);
}

} // namespace

std::string row_sum_kernels(const recipe& what, const translation& functions)
{
    if (!sparse::sums_rows(what)) return {};
    const row_sum sum = *row_sum_of(what);
    return fmt::format("#define SUM {}\n#define SUM_BEGIN s{}\n#define SUM_COLUMN s{}\n#define SUM_VALUE s{}\n",
                       functions.sum_type, sum.row_begin, sum.column, sum.value) +
           (sum.matrix ? matrix_macros(sum) : vector_macros(sum)) + row_sums_text;
}

bool launch_row_sums(const work& w, kernels& k, cl_command_queue queue)
{
    if (k.is_cpu || !sparse::sums_rows(w.what)) return false;
    const row_sum sum = *row_sum_of(w.what);
    if (!sparse::fits_in_blocks(w, sum)) return false;
    const std::size_t items = k.items(std::min(k.local, usual_items));
    const std::size_t tile = std::min(most_products, k.local_bytes / 2 / w.what.slots[sum.x].size);
    if (items < 2 * sparse::widest_block || tile < items) return false;
    if (w.segments.empty()) return true;
    const sparse::row_blocks blocks = sparse::row_blocks_for(w, sum, tile);
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows * w.segments[s].cols == 0) continue;
        kernel_run run(k, "skelrt_row_sums", w.what);
        run.segment_of(w, s, false).number(blocks.items).number(blocks.width);
        run.local(tile * w.what.slots[sum.x].size).number(tile).local(sizeof(cl_uint));
        run.enqueue(queue, {blocks.down * items, blocks.across}, {items, 1});
    }
    return true;
}

} // namespace skelrt::detail::opencl
