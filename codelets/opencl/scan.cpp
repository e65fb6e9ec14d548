// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include <algorithm>
#include <cmath>

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

/// Scans the elements [begin, end) of a line with one work-group, behind `running` if `started`. A group takes a tile
/// of elements at a time into local memory, neighbouring items neighbouring elements; each item scans a run of them,
/// behind what the runs before it give; and all write the tile back. On a CPU the group's only item needs no tile.
/// Words: LOCAL items, TILE_ROOM values, runs of `run` elements; BEGIN_AT(i) sets r and c to element i,
/// ADVANCE(r, c, by) goes on.
constexpr std::string_view group_scan = R"CL(
#ifdef SKELRT_CPU
#define GROUP_MEMORY(items)
#define GROUP_SCAN(begin, end, items, run)                                                            \
    {                                                                                                 \
        CHAIN(chain)                                                                                  \
        BEGIN_AT(begin)                                                                               \
        for (ulong i = begin; i < end; ++i) {                                                         \
            SCAN_NEXT                                                                                 \
            NEXT(r, c);                                                                               \
        }                                                                                             \
    }
#else
#define TILE_ROOM(items) ((items) * (RUN + 1) + 1)
#define GROUP_MEMORY(items) __local RESULT runs[items], tile[TILE_ROOM(items)];
#if SCAN_FLOATING /* one item for all, since a chain is long */
#define BEHIND_TILE(running, total)                                                                   \
    if (item == 0) tile[0] = BEHIND(chain, running, total);                                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
    running = tile[0];                                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);
#else
#define BEHIND_TILE(running, total) running = skelrt_combine(running, total);
#endif
#define GROUP_SCAN(begin, end, items, run)                                                            \
    CHAIN(chain)                                                                                      \
    for (ulong at = begin; at < end; at += items * run) {                                             \
        const uint count = (uint)min(end - at, (ulong)(items * run)), length = (uint)run;             \
        const uint active = (count + length - 1) / length, item = (uint)get_local_id(0);              \
        const uint first = min(item * length, count), stop = min(first + length, count);              \
        {                                                                                             \
            BEGIN_AT(at + item)                                                                       \
            for (uint i = item; i < count; i += items) {                                              \
                tile[IN_TILE(i)] = ELEMENT(r, c);                                                     \
                ADVANCE(r, c, items)                                                                  \
            }                                                                                         \
        }                                                                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
        if (item < active) {                                                                          \
            RESULT own = tile[IN_TILE(first)];                                                        \
            for (uint i = first + 1; i < stop; ++i) own = skelrt_combine(own, tile[IN_TILE(i)]);      \
            runs[item] = own;                                                                         \
        }                                                                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
        RUNNING_IN_GROUP(RESULT, runs, item, active, skelrt_combine)                                  \
        const bool had_front = started;                                                               \
        if (item < active) {                                                                          \
            RESULT own;                                                                               \
            if (had_front) own = running;                                                             \
            if (item > 0) {                                                                           \
                if (started) own = skelrt_combine(own, runs[item - 1]);                               \
                else own = runs[item - 1];                                                            \
                started = true;                                                                       \
            }                                                                                         \
            for (uint i = first; i < stop; ++i) {                                                     \
                const RESULT element = tile[IN_TILE(i)];                                              \
                if (EXCLUSIVE && started) tile[IN_TILE(i)] = own;                                     \
                if (started) own = skelrt_combine(own, element);                                      \
                else own = element;                                                                   \
                if (!EXCLUSIVE) tile[IN_TILE(i)] = own;                                               \
                started = true;                                                                       \
            }                                                                                         \
        }                                                                                             \
        const RESULT total = runs[active - 1];                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
        {                                                                                             \
            BEGIN_AT(at + item)                                                                       \
            for (uint i = item; i < count; i += items) {                                              \
                if (!EXCLUSIVE || had_front || i > 0) PUT(r, c) = STORED(tile[IN_TILE(i)]);           \
                ADVANCE(r, c, items)                                                                  \
            }                                                                                         \
        }                                                                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
        if (!had_front) {                                                                             \
            running = total;                                                                          \
        } else if (at + items * run < end) {                                                          \
            BEHIND_TILE(running, total)                                                               \
        } else { /* the last one: nothing comes behind it but another segment */                      \
            running = skelrt_combine(running, total);                                                 \
        }                                                                                             \
        started = true;                                                                               \
    }
#endif
)CL";

constexpr std::string_view parts = R"CL(
/* `fronts` has what comes in front of each group's part; a single group leaves its last running value there, too */
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void NAME(CALL_PARAMETERS, __global uchar* front_bytes, ulong front_offset, ulong has_front)
{
    CALL_VARIABLES
    GROUP_MEMORY(LOCAL)
    __global RESULT* front = (__global RESULT*)(front_bytes + front_offset) + get_group_id(0);
    const ulong n = rows * cols;
    const ulong begin = part_begin(n, get_group_id(0), get_num_groups(0));
    const ulong end = part_begin(n, get_group_id(0) + 1, get_num_groups(0));
    bool started = has_front || get_group_id(0) > 0;
    RESULT running;
    if (started) running = *front;
    barrier(CLK_GLOBAL_MEM_FENCE);
    GROUP_SCAN(begin, end, LOCAL, RUN)
    if (get_num_groups(0) == 1 && get_local_id(0) == 0) *front = running;
}
)CL";

constexpr std::string_view fronts = R"CL(
/* one work-group: each of `count` values of scratch becomes what is in front of it, behind the carry if there is one;
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
    RUNNING_IN_GROUP(RESULT, runs, item, active, skelrt_combine)
    RESULT front;
    bool started = has_carry;
    if (started) front = *carry;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (item + 1 == active) {
        if (started) *carry = skelrt_combine(front, runs[item]);
        else *carry = runs[item];
    }
    if (item < active) {
        if (item > 0) {
            if (started) front = skelrt_combine(front, runs[item - 1]);
            else front = runs[item - 1];
            started = true;
        }
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
#define ADVANCE(r, c, by) c += by;
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
#ifdef SKELRT_CPU
        CHAIN(chain)
        for (ulong c = 0; c < cols; ++c) SCAN_NEXT
#else /* long rows go to groups */
        for (ulong c = 0; c < cols; ++c) SCAN_ONE
#endif
    }
}

__kernel __attribute__((reqd_work_group_size(ROW_LOCAL, 1, 1)))
void skelrt_scan_rows_grouped(CALL_PARAMETERS, skelrt_start start_parameter, ulong has_start, ulong run)
{
    CALL_VARIABLES
    START_VARIABLE
    GROUP_MEMORY(ROW_LOCAL)
    for (ulong r = get_group_id(0); r < rows; r += get_num_groups(0)) {
        RESULT running = start;
        bool started = has_start;
        GROUP_SCAN(0ul, cols, ROW_LOCAL, run)
    }
}
)CL";

/// On a GPU the rows are shared among parts: their sums, what comes in front of them, and the parts' scans are a kernel
/// each. On a CPU, and of few rows, there is one part.
constexpr std::string_view column_scan = R"CL(
#define SCAN_COLUMNS 16
#define ELEMENT(r, c) VALUE(r, c)
#define PUT(r, c) STORE_AT(r, c)
#define SCAN_PIECE 16ul /* sums of such pieces are summed: chains of floats lose with their length */

__kernel void skelrt_scan_columns_sums(CALL_PARAMETERS, __global uchar* sum_bytes, ulong sum_offset)
{
    CALL_VARIABLES
    const ulong part = get_global_id(1);
    const ulong begin = part_begin(rows, part, get_global_size(1)), end = part_begin(rows, part + 1, get_global_size(1));
    __global RESULT* sum = (__global RESULT*)(sum_bytes + sum_offset) + part * cols;
    FOR_MY_PART(c, cols, 0) {
        RESULT own;
        for (ulong piece = begin; piece < end; piece += SCAN_PIECE) {
            const ulong stop = min(piece + SCAN_PIECE, end);
            RESULT some = VALUE(piece, c);
            for (ulong r = piece + 1; r < stop; ++r) some = skelrt_combine(some, VALUE(r, c));
            if (piece > begin) own = skelrt_combine(own, some);
            else own = some;
        }
        sum[c] = own;
    }
}

/* sums become what comes in front of their parts; the carry what all of them give */
__kernel void skelrt_scan_columns_fronts(__global uchar* sum_bytes, ulong sum_offset, ulong parts, ulong cols,
                                         __global uchar* carry_bytes, ulong carry_offset, ulong has_carry)
{
    __global RESULT* sum = (__global RESULT*)(sum_bytes + sum_offset);
    __global RESULT* carry = (__global RESULT*)(carry_bytes + carry_offset);
    FOR_MY_PART(c, cols, 0) {
        RESULT front;
        if (has_carry) front = carry[c];
        CHAIN(chain)
        for (ulong p = 0; p < parts; ++p) {
            const RESULT own = sum[p * cols + c];
            if (has_carry || p > 0) {
                sum[p * cols + c] = front;
                front = BEHIND(chain, front, own);
            } else {
                front = own;
            }
        }
        carry[c] = front;
    }
}

/* `fronts`: a row for each part; of a single part it becomes the last running values */
__kernel void skelrt_scan_columns(CALL_PARAMETERS, __global uchar* front_bytes, ulong front_offset, ulong has_front)
{
    CALL_VARIABLES
    const ulong part = get_global_id(1);
    const ulong begin = part_begin(rows, part, get_global_size(1)), end = part_begin(rows, part + 1, get_global_size(1));
    __global RESULT* front = (__global RESULT*)(front_bytes + front_offset) + part * cols;
#ifdef SKELRT_CPU /* some columns at a time, row by row, as the memory lies */
    FOR_MY_PART(part_of_columns, (cols + SCAN_COLUMNS - 1) / SCAN_COLUMNS, 0) {
        const ulong first = part_of_columns * SCAN_COLUMNS, last = min(first + SCAN_COLUMNS, cols);
        RESULT values[SCAN_COLUMNS];
#if SCAN_FLOATING
        skelrt_chain chains[SCAN_COLUMNS];
        for (uint k = 0; k < SCAN_COLUMNS; ++k) chains[k].pieces = 0;
#define chain chains[c - first]
#endif
        for (ulong c = first; has_front && c < last; ++c) values[c - first] = front[c];
        for (ulong r = begin; r < end; ++r)
            for (ulong c = first; c < last; ++c) {
                bool started = has_front || r > 0;
                RESULT running = values[c - first];
                SCAN_NEXT
                values[c - first] = running;
            }
#undef chain
        for (ulong c = first; c < last; ++c) front[c] = values[c - first];
    }
#else
    FOR_MY_PART(c, cols, 0) {
        bool started = has_front || part > 0;
        RESULT running;
        if (started) running = front[c];
        CHAIN(chain)
        for (ulong piece = begin; piece < end; piece += SCAN_PIECE) {
            const ulong stop = min(piece + SCAN_PIECE, end);
            const bool had_front = started;
            RESULT in_front, own;
            if (had_front) in_front = running;
            for (ulong r = piece; r < stop; ++r) {
                const RESULT element = ELEMENT(r, c);
                if (EXCLUSIVE && started) PUT(r, c) = STORED(running);
                if (r > piece) own = skelrt_combine(own, element);
                else own = element;
                if (had_front) running = skelrt_combine(in_front, own);
                else running = own;
                if (!EXCLUSIVE) PUT(r, c) = STORED(running);
                started = true;
            }
            if (had_front) running = BEHIND(chain, in_front, own);
        }
        if (get_global_size(1) == 1) front[c] = running;
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
    return std::string(running_values) + tile_text + std::string(group_scan) + walk_text +
           flat_and_general("skelrt_scan", parts) + std::string(fronts) + std::string(start);
}

std::string scan_row_kernels()
{
    return std::string(running_values) + tile_text + std::string(group_scan) + std::string(row_scan);
}

std::string scan_column_kernels()
{
    return std::string(running_values) + std::string(column_scan) + std::string(start);
}

std::size_t scan_scratch(const recipe& what, std::size_t columns)
{
    if (what.kind == skeleton::scan_columns) return (1 + most_column_parts(columns)) * columns * what.result_size;
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

namespace
{

/// One item goes over the parts of a column, and over the rows of a part: neither is to take much longer.
std::size_t scan_parts_for(const segment& s, const kernels& k)
{
    const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(s.rows)));
    return std::clamp<std::size_t>(column_parts_for(s, k), 1, std::max<std::size_t>(root, 1));
}

/// As scan_segment(), of columns.
void scan_column_segment(const work& w, std::size_t s, kernels& k, const carried& c, cl_command_queue queue)
{
    const segment& all = w.segments[s];
    const std::size_t parts = k.is_cpu ? 1 : scan_parts_for(all, k);
    const auto on_parts = [&](kernel_run& run) {
        if (k.is_cpu) return run.enqueue(queue, {std::min(all.cols, 4 * k.compute_units), 1}, {1, 1});
        const std::size_t group = k.items(64), groups = std::min((all.cols + group - 1) / group, 64 * k.compute_units);
        run.enqueue(queue, {groups * group, parts}, {group, 1});
    };
    auto fronts = c.values;
    if (parts > 1) {
        fronts = w.scratch;
        fronts.offset += all.cols * w.what.result_size;
        {
            kernel_run run(k, "skelrt_scan_columns_sums", w.what);
            on_parts(run.segment_of(w, s, false).buffer(fronts));
        }
        kernel_run run(k, "skelrt_scan_columns_fronts", w.what);
        run.buffer(fronts).number(parts).number(all.cols).buffer(c.values).number(c.started ? 1 : 0);
        enqueue_lines(run, all.cols, k, queue);
    }
    kernel_run run(k, "skelrt_scan_columns", w.what);
    on_parts(run.segment_of(w, s, false).buffer(fronts).number(c.started ? 1 : 0));
}

} // namespace

void launch_scan_columns(const work& w, kernels& k, cl_command_queue queue)
{
    if (w.segments.empty() || w.segments[0].cols == 0) return;
    auto c = begin(w, k, w.segments[0].cols, queue);
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0) continue;
        scan_column_segment(w, s, k, c, queue);
        c.started = true;
    }
}

} // namespace skelrt::detail::opencl
