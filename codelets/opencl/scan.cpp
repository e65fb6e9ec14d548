// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include <algorithm>

/// Running values through everything. OpenCL does not promise that a work-group that waits for another one will ever
/// see it run, so nobody waits: the first kernel reduces one contiguous part of a segment per group (that of
/// reductions), the second turns these values into what comes in front of each part, the third scans the parts.
/// Elements are read twice.
namespace skelrt::detail::opencl
{
namespace
{

/// Running values of floating point as on the host (scan_state in <skelrt/detail/loops/scan.hpp>): not a chain of all
/// elements but chains of SCAN_FAN, of as many of these, and so on. Other values are as right in a chain.
constexpr std::string_view running_values = R"CL(
#if SCAN_FLOATING
#define SCAN_LEVELS 5
#define SCAN_FAN 16
typedef struct {
    RESULT base, sum[SCAN_LEVELS], front[SCAN_LEVELS];
    ulong pieces;
} skelrt_chain;
#define CHAIN(name) skelrt_chain name; name.pieces = 0;
/* `total` comes behind `running`, which every earlier call gave or, before the first, lies in front */
static inline RESULT skelrt_chain_add(skelrt_chain* s, RESULT running, RESULT total)
{
    if (s->pieces == 0) s->base = running;
    uint level = 0;
    ulong units = s->pieces++;
    for (; level + 1 < SCAN_LEVELS && units % SCAN_FAN == SCAN_FAN - 1; ++level, units /= SCAN_FAN)
        total = skelrt_combine(s->sum[level], total);
    const bool top = level + 1 == SCAN_LEVELS, alone = top ? units == 0 : units % SCAN_FAN == 0;
    s->sum[level] = alone ? total : skelrt_combine(s->sum[level], total);
    running = skelrt_combine(!top && units >= SCAN_FAN ? s->front[level + 1] : s->base, s->sum[level]);
    for (uint k = 0; k <= level; ++k) s->front[k] = running;
    return running;
}
#define BEHIND(chain, running, total) skelrt_chain_add(&chain, running, total)
#else
#define CHAIN(name)
#define BEHIND(chain, running, total) skelrt_combine(running, total)
#endif
#define SCAN_BEHIND(running, started, behind)                                                         \
    {                                                                                                 \
        const RESULT element = ELEMENT(r, c);                                                         \
        if (EXCLUSIVE && started) PUT(r, c) = STORED(running);                                        \
        if (started) running = behind(running, element);                                              \
        else running = element;                                                                       \
        if (!EXCLUSIVE) PUT(r, c) = STORED(running);                                                  \
        started = true;                                                                               \
    }
#define BEHIND_ALL(running, total) BEHIND(chain, running, total)
#define SCAN_ONE SCAN_BEHIND(running, started, skelrt_combine)
/* one of many that one work-item scans, with a `chain` of its own */
#define SCAN_NEXT SCAN_BEHIND(running, started, BEHIND_ALL)
)CL";

/// Scans the elements [begin, end) of a line with one work-group, behind `running` if `started`. Each item scans runs
/// of neighbours; their reductions are scanned in local memory. On a CPU the group's only item needs no second pass.
/// Words: RUNS items, runs of `run` elements; BEGIN_AT(i) sets r and c to element i.
constexpr std::string_view group_scan = R"CL(
#ifdef SKELRT_CPU
#define GROUP_SCAN(begin, end, runs, items, run)                                                      \
    {                                                                                                 \
        CHAIN(chain)                                                                                  \
        BEGIN_AT(begin)                                                                               \
        for (ulong i = begin; i < end; ++i) {                                                         \
            SCAN_NEXT                                                                                 \
            NEXT(r, c);                                                                               \
        }                                                                                             \
    }
#else
#define GROUP_SCAN(begin, end, runs, items, run)                                                      \
    CHAIN(chain)                                                                                      \
    for (ulong tile = begin; tile < end; tile += items * run) {                                       \
        const ulong active = min((end - tile + run - 1) / run, (ulong)items);                         \
        const ulong item = get_local_id(0), first = tile + item * run, stop = min(first + run, end);  \
        if (item < active) {                                                                          \
            BEGIN_AT(first)                                                                           \
            RESULT own = ELEMENT(r, c);                                                               \
            for (ulong i = first + 1; i < stop; ++i) {                                                \
                NEXT(r, c);                                                                           \
                own = skelrt_combine(own, ELEMENT(r, c));                                             \
            }                                                                                         \
            runs[item] = own;                                                                         \
        }                                                                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
        for (ulong d = 1; d < active; d *= 2) {                                                       \
            RESULT left;                                                                              \
            if (item >= d && item < active) left = runs[item - d];                                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                                             \
            if (item >= d && item < active) runs[item] = skelrt_combine(left, runs[item]);            \
            barrier(CLK_LOCAL_MEM_FENCE);                                                             \
        }                                                                                             \
        const RESULT front_of_tile = running;                                                         \
        const bool tile_started = started;                                                            \
        if (item < active) {                                                                          \
            if (item > 0) {                                                                           \
                if (started) running = skelrt_combine(running, runs[item - 1]);                       \
                else running = runs[item - 1];                                                        \
                started = true;                                                                       \
            }                                                                                         \
            BEGIN_AT(first)                                                                           \
            for (ulong i = first; i < stop; ++i) {                                                    \
                SCAN_ONE                                                                              \
                NEXT(r, c);                                                                           \
            }                                                                                         \
        }                                                                                             \
        if (tile_started) running = BEHIND(chain, front_of_tile, runs[active - 1]);                   \
        else running = runs[active - 1];                                                              \
        started = true;                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
    }
#endif
)CL";

constexpr std::string_view parts = R"CL(
#define BEGIN_AT(i) ulong r = rows == 1 ? 0 : (i) / cols, c = rows == 1 ? (i) : (i) % cols;
/* `fronts` has what comes in front of each group's part; a single group leaves its last running value there, too */
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void NAME(CALL_PARAMETERS, __global uchar* front_bytes, ulong front_offset, ulong has_front)
{
    CALL_VARIABLES
    __local RESULT runs[LOCAL];
    __global RESULT* front = (__global RESULT*)(front_bytes + front_offset) + get_group_id(0);
    const ulong n = rows * cols;
    const ulong begin = part_begin(n, get_group_id(0), get_num_groups(0));
    const ulong end = part_begin(n, get_group_id(0) + 1, get_num_groups(0));
    bool started = has_front || get_group_id(0) > 0;
    RESULT running;
    if (started) running = *front;
    barrier(CLK_GLOBAL_MEM_FENCE);
    GROUP_SCAN(begin, end, runs, LOCAL, RUN)
    if (get_num_groups(0) == 1 && get_local_id(0) == 0) *front = running;
}
#undef BEGIN_AT
)CL";

constexpr std::string_view fronts = R"CL(
/* one work-group: each of `count` values of scratch becomes what comes in front of it, behind the carry if there is one;
   the carry becomes what all of them give */
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void skelrt_scan_fronts(__global uchar* scratch_bytes, ulong scratch_offset, ulong count,
                        __global uchar* carry_bytes, ulong carry_offset, ulong has_carry)
{
    __local RESULT runs[LOCAL];
    __global RESULT* value = (__global RESULT*)(scratch_bytes + scratch_offset);
    __global RESULT* carry = (__global RESULT*)(carry_bytes + carry_offset);
    const ulong item = get_local_id(0), active = min(count, (ulong)LOCAL);
    const ulong begin = part_begin(count, item, active), end = part_begin(count, item + 1, active);
    if (item < active) {
        RESULT own = value[begin];
        for (ulong i = begin + 1; i < end; ++i) own = skelrt_combine(own, value[i]);
        runs[item] = own;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        RESULT front;
        bool started = has_carry;
        CHAIN(chain)
        if (started) front = *carry;
        for (ulong i = 0; i < active; ++i) {
            const RESULT own = runs[i];
            if (started) {
                runs[i] = front;
                front = BEHIND(chain, front, own);
            } else {
                front = own;
            }
            started = true;
        }
        *carry = front;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < active) {
        RESULT front = runs[item];
        bool started = has_carry || item > 0;
        for (ulong i = begin; i < end; ++i) {
            const RESULT own = value[i];
            if (started) {
                value[i] = front;
                front = skelrt_combine(front, own);
            } else {
                front = own;
            }
            started = true;
        }
    }
}
)CL";

constexpr std::string_view start = R"CL(
__kernel void skelrt_scan_start(__global uchar* carry_bytes, ulong carry_offset, ulong count, skelrt_start start_parameter)
{
    START_VARIABLE
    __global RESULT* carry = (__global RESULT*)(carry_bytes + carry_offset);
    FOR_MY_PART(i, count, 0)
        carry[i] = start;
}
)CL";

constexpr std::string_view row_scan = R"CL(
#define ELEMENT(r, c) VALUE(r, c)
#define PUT(r, c) STORE_AT(r, c)
#define NEXT(r, c) ++c
#define BEGIN_AT(i) ulong c = (i);
#ifndef ROW_LOCAL
#define ROW_LOCAL (LOCAL < 64 ? LOCAL : 64)
#endif

__kernel void skelrt_scan_rows(CALL_PARAMETERS, skelrt_start start_parameter, ulong has_start)
{
    CALL_VARIABLES
    START_VARIABLE
    FOR_MY_PART(r, rows, 0) {
        RESULT running = start;
        bool started = has_start;
        CHAIN(chain)
        for (ulong c = 0; c < cols; ++c) SCAN_NEXT
    }
}

__kernel __attribute__((reqd_work_group_size(ROW_LOCAL, 1, 1)))
void skelrt_scan_rows_grouped(CALL_PARAMETERS, skelrt_start start_parameter, ulong has_start, ulong run)
{
    CALL_VARIABLES
    START_VARIABLE
    __local RESULT runs[ROW_LOCAL];
    for (ulong r = get_group_id(0); r < rows; r += get_num_groups(0)) {
        RESULT running = start;
        bool started = has_start;
        GROUP_SCAN(0ul, cols, runs, ROW_LOCAL, run)
    }
}
)CL";

constexpr std::string_view column_scan = R"CL(
#define SCAN_COLUMNS 16
#define ELEMENT(r, c) VALUE(r, c)
#define PUT(r, c) STORE_AT(r, c)

__kernel void skelrt_scan_columns(CALL_PARAMETERS, __global uchar* carry_bytes, ulong carry_offset, ulong has_carry)
{
    CALL_VARIABLES
    __global RESULT* carry = (__global RESULT*)(carry_bytes + carry_offset);
#ifdef SKELRT_CPU /* some columns at a time, row by row, as the memory lies */
    FOR_MY_PART(part, (cols + SCAN_COLUMNS - 1) / SCAN_COLUMNS, 0) {
        const ulong first = part * SCAN_COLUMNS, last = min(first + SCAN_COLUMNS, cols);
        RESULT values[SCAN_COLUMNS];
#if SCAN_FLOATING
        skelrt_chain chains[SCAN_COLUMNS];
        for (uint k = 0; k < SCAN_COLUMNS; ++k) chains[k].pieces = 0;
#define chain chains[c - first]
#endif
        for (ulong c = first; has_carry && c < last; ++c) values[c - first] = carry[c];
        for (ulong r = 0; r < rows; ++r)
            for (ulong c = first; c < last; ++c) {
                bool started = has_carry || r > 0;
                RESULT running = values[c - first];
                SCAN_NEXT
                values[c - first] = running;
            }
#undef chain
        for (ulong c = first; c < last; ++c) carry[c] = values[c - first];
    }
#else
    FOR_MY_PART(c, cols, 0) {
        bool started = has_carry;
        RESULT running;
        if (started) running = carry[c];
        CHAIN(chain)
        for (ulong r = 0; r < rows; ++r) SCAN_NEXT
        carry[c] = running;
    }
#endif
}
)CL";

std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

kernel_run& start_of(kernel_run& run, const work& w)
{
    const std::string nothing(w.what.result_size, '\0');
    return run.bytes(w.start != nullptr ? w.start : nothing.data(), w.what.result_size);
}

/// Where the running values are between two segments, and whether there are any yet. Scratch has room for those that
/// nobody else wants, in front of the values of the groups.
struct carried {
    slot_view values;
    bool started;
};

carried begin(const work& w, kernels& k, std::size_t count, cl_command_queue queue)
{
    const carried c{w.carry.data != nullptr ? w.carry : w.scratch, w.carried_in || w.start != nullptr};
    if (w.carried_in || w.start == nullptr) return c;
    kernel_run run(k, "skelrt_scan_start", w.what);
    run.buffer(c.values).number(count);
    start_of(run, w).enqueue(queue, {k.is_cpu ? 1 : std::min<std::size_t>((count + 63) / 64, 1024) * 64, 1},
                             {k.is_cpu ? 1u : 64u, 1});
    return c;
}

void scan_parts(const work& w, std::size_t s, kernels& k, const slot_view& fronts, bool started, std::size_t groups,
                cl_command_queue queue)
{
    const bool flat = is_flat(w, s);
    kernel_run run(k, flat ? "skelrt_scan_flat" : "skelrt_scan", w.what);
    run.segment_of(w, s, flat).buffer(fronts).number(started ? 1 : 0);
    run.enqueue(queue, {groups * k.local, 1}, {k.local, 1});
}

void scan_segment(const work& w, std::size_t s, kernels& k, const carried& c, cl_command_queue queue)
{
    const auto groups = groups_for(w.segments[s].rows * w.segments[s].cols, k);
    if (groups == 1) return scan_parts(w, s, k, c.values, c.started, 1, queue);
    auto partials = w.scratch;
    partials.offset += rounded(w.what.result_size);
    {
        const bool flat = is_flat(w, s);
        kernel_run run(k, flat ? "skelrt_reduce_flat" : "skelrt_reduce", w.what);
        run.segment_of(w, s, flat).buffer(partials).number(0);
        run.enqueue(queue, {groups * k.local, 1}, {k.local, 1});
    }
    {
        kernel_run run(k, "skelrt_scan_fronts", w.what);
        run.buffer(partials).number(groups).buffer(c.values).number(c.started ? 1 : 0);
        run.enqueue(queue, {k.local, 1}, {k.local, 1});
    }
    scan_parts(w, s, k, partials, c.started, groups, queue);
}

} // namespace

std::string scan_kernels()
{
    return std::string(running_values) + std::string(group_scan) + flat_and_general("skelrt_scan", parts) +
           std::string(fronts) + std::string(start);
}

std::string scan_row_kernels() { return std::string(running_values) + std::string(group_scan) + std::string(row_scan); }

std::string scan_column_kernels()
{
    return std::string(running_values) + std::string(column_scan) + std::string(start);
}

std::size_t scan_scratch(const recipe& what, std::size_t columns)
{
    if (what.kind == skeleton::scan_columns) return columns * what.result_size;
    return rounded(what.result_size) + most_groups * what.result_size;
}

void launch_scan(const work& w, kernels& k, cl_command_queue queue)
{
    auto c = begin(w, k, 1, queue);
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows * w.segments[s].cols == 0) continue;
        scan_segment(w, s, k, c, queue);
        c.started = true;
    }
}

/// Short rows: one work-item scans a row. Long rows on a GPU: one work-group does.
void launch_scan_rows(const work& w, kernels& k, cl_command_queue queue)
{
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const auto [rows, cols, row0, col0] = w.segments[s];
        if (rows * cols == 0) continue;
        const bool grouped = !k.is_cpu && cols >= long_row;
        kernel_run run(k, grouped ? "skelrt_scan_rows_grouped" : "skelrt_scan_rows", w.what);
        start_of(run.segment_of(w, s, false), w).number(w.start != nullptr ? 1 : 0);
        if (grouped) {
            const auto local = std::min(k.local, k.items(row_group));
            run.number(std::clamp<std::size_t>((cols + local - 1) / local, 1, k.run));
            run.enqueue(queue, {std::min(rows, 32 * k.compute_units) * local, 1}, {local, 1});
        } else if (k.is_cpu) run.enqueue(queue, {std::min(rows, 4 * k.compute_units), 1}, {1, 1});
        else enqueue_lines(run, rows, k, queue);
    }
}

void launch_scan_columns(const work& w, kernels& k, cl_command_queue queue)
{
    if (w.segments.empty() || w.segments[0].cols == 0) return;
    const auto cols = w.segments[0].cols;
    auto c = begin(w, k, cols, queue);
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0) continue;
        kernel_run run(k, "skelrt_scan_columns", w.what);
        run.segment_of(w, s, false).buffer(c.values).number(c.started ? 1 : 0);
        if (k.is_cpu) run.enqueue(queue, {std::min(cols, 4 * k.compute_units), 1}, {1, 1});
        else enqueue_lines(run, cols, k, queue);
        c.started = true;
    }
}

} // namespace skelrt::detail::opencl
