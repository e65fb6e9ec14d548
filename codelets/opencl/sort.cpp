// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/merge_sort.hpp"
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include <algorithm>

#include <fmt/format.h>

/// A merge sort of what the segments hold: their mapped values come together in scratch, are sorted there, tile by tile
/// and then in pairs of runs, and go where the results are.
namespace skelrt::detail::opencl
{
namespace
{

constexpr std::string_view words = R"CL(
#define KEY RESULT
#define BEFORE(a, b) skelrt_before(a, b)
#define GLOBAL __global
#define SHARED __local
#define GROUP get_group_id(0)
#define THREAD (unsigned)get_local_id(0)
#define THREADS (LOCAL < SORT_LANES ? (unsigned)LOCAL : SORT_LANES)
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
)CL";

constexpr std::string_view kernels_text = R"CL(
#define ITEM_PARAMETERS(x) __global uchar* x##_keys, ulong x##_keys_offset, __global uchar* x##_order, ulong x##_order_offset
#define ITEMS(x) {(__global KEY*)(x##_keys + x##_keys_offset), (__global unsigned*)(x##_order + x##_order_offset)}
#define VALUE_PARAMETERS __global uchar* value_bytes, ulong value_offset
#define VALUES ((__global SORT_VALUE*)(value_bytes + value_offset))
#define TILES                                                                                         \
    __local KEY keys_a[SORT_TILE], keys_b[SORT_TILE];                                                 \
    __local unsigned order_a[SORT_BY_KEY ? SORT_TILE : 1], order_b[SORT_BY_KEY ? SORT_TILE : 1];      \
    const shared_items a = {keys_a, order_a}, b = {keys_b, order_b};

__kernel void skelrt_sort_gather(CALL_PARAMETERS, ITEM_PARAMETERS(to), VALUE_PARAMETERS)
{
    CALL_VARIABLES
    const global_items to = ITEMS(to);
    FOR_MY_PART(i, cols, 0) {
        to.keys[col0 + i] = VALUE(0, i);
#if SORT_BY_KEY
        to.order[col0 + i] = (unsigned)(col0 + i);
        VALUES[col0 + i] = s1[i * st1];
#endif
    }
}

__kernel void skelrt_sort_scatter(CALL_PARAMETERS, ITEM_PARAMETERS(from), VALUE_PARAMETERS)
{
    CALL_VARIABLES
    const global_items from = ITEMS(from);
    FOR_MY_PART(i, cols, 0) {
        STORE_AT(0, i) = from.keys[col0 + i];
#if SORT_BY_KEY
        s2[i * st2] = VALUES[from.order[col0 + i]];
#endif
    }
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void skelrt_sort_tiles(ITEM_PARAMETERS(items), ulong n)
{
    TILES
    const global_items items = ITEMS(items);
    sort_tile(items, n, a, b);
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void skelrt_sort_merge(ITEM_PARAMETERS(from), ITEM_PARAMETERS(to), ulong n, ulong width)
{
    TILES
    __local size_t split[2];
    const global_items from = ITEMS(from), to = ITEMS(to);
    merge_tile(from, to, n, width, a, b, split);
}
)CL";

class sorter
{
public:
    sorter(const work& w, kernels& k, cl_command_queue queue)
        : work_(w), kernels_(k), queue_(queue), tile_(sort_tile_of(w.what, w.block))
    {
        for (const segment& s : w.segments) count_ += s.cols;
        const sort_scratch at(w.what, count_, w.what.result_size);
        for (std::size_t half = 0; half < 2; ++half) {
            keys_[half] = part(at.keys[half]);
            order_[half] = part(at.order[half]);
        }
        values_ = part(at.values);
    }

    void run()
    {
        if (count_ == 0) return;
        move("skelrt_sort_gather", 0);
        start("skelrt_sort_tiles", {0}, {count_});
        std::size_t half = 0;
        for (std::size_t width = tile_.size(); width < count_; width *= 2, half = 1 - half)
            start("skelrt_sort_merge", {half, 1 - half}, {count_, width});
        move("skelrt_sort_scatter", half);
    }

private:
    slot_view part(std::size_t offset) const
    {
        slot_view v = work_.scratch;
        v.offset += offset;
        return v;
    }

    /// Between the segments and a half of scratch.
    void move(std::string_view kernel, std::size_t half)
    {
        for (std::size_t s = 0; s < work_.segments.size(); ++s) {
            if (work_.segments[s].cols == 0) continue;
            kernel_run run(kernels_, kernel, work_.what);
            run.segment_of(work_, s, false).buffer(keys_[half]).buffer(order_[half]).buffer(values_);
            const std::size_t group = kernels_.items(64), groups = divided_up(work_.segments[s].cols, group);
            if (kernels_.is_cpu) run.enqueue(queue_, {std::min(groups, 4 * kernels_.compute_units), 1}, {1, 1});
            else run.enqueue(queue_, {std::min(groups, 64 * kernels_.compute_units) * group, 1}, {group, 1});
        }
    }

    /// A group for each tile.
    void start(std::string_view kernel, std::initializer_list<std::size_t> halves,
               std::initializer_list<std::size_t> numbers)
    {
        kernel_run run(kernels_, kernel, work_.what);
        for (const std::size_t half : halves) run.buffer(keys_[half]).buffer(order_[half]);
        for (const std::size_t n : numbers) run.number(n);
        const std::size_t local = std::min<std::size_t>(kernels_.local, tile_.lanes);
        run.enqueue(queue_, {(count_ + tile_.size() - 1) / tile_.size() * local, 1}, {local, 1});
    }

    const work& work_;
    kernels& kernels_;
    cl_command_queue queue_;
    sort_tile tile_;
    std::size_t count_ = 0;
    slot_view keys_[2], order_[2], values_;
};

} // namespace

std::string sort_kernels(const recipe& what, const translation& functions)
{
    const std::string value = sorts_by_key(what) ? storage_type(functions.slot_types[1]) : "uchar";
    return std::string(words) + merge_sort_text(what) + fmt::format("#define SORT_VALUE {}\n", value) +
           std::string(kernels_text);
}

std::string sort_options(const recipe& what, unsigned block)
{
    const sort_tile tile = sort_tile_of(what, block);
    return fmt::format(" -DSORT_RUN={}u -DSORT_LANES={}u", tile.run, tile.lanes);
}

std::size_t sort_local_bytes(const recipe& what, unsigned block)
{
    const std::size_t item = what.result_size + (sorts_by_key(what) ? sizeof(cl_uint) : 0);
    return 2 * sort_tile_of(what, block).size() * item;
}

std::size_t sort_scratch_bytes(const recipe& what, std::size_t elements)
{
    return sort_scratch(what, elements, what.result_size).end;
}

void launch_sort(const work& w, kernels& k, cl_command_queue queue) { sorter(w, k, queue).run(); }

} // namespace skelrt::detail::opencl
