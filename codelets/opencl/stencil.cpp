// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/index_fault.hpp"
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

/// A work-group brings a tile with what lies around it into local memory, the border made on the way, and computes from
/// there. Several steps go to and fro between two tiles, each a reach narrower than the last. Hoods that no tile can
/// hold are read where they lie.
namespace skelrt::detail::opencl
{
namespace
{

/// Columns of a tile; a tensor's has so many rows.
std::size_t tile_x(const recipe& what) { return what.stencil.rank == 3 ? 32 : 64; }
constexpr std::size_t tile_y = 8;

constexpr const char* common = R"CL(
#define SWEEP_PARAMETERS ulong grid0, ulong grid1, ulong grid2, int cut, int color, ulong block0, ulong block1, \
                         ulong block2, ulong room, ulong lanes, ulong corner1, ulong corner2, ulong column0,    \
                         ulong column1

/* Extents and first position of the segment on each axis. Not n0, o0: a slot's parameters have such names. */
#define SWEEP_VARIABLES                                                                                   \
    const long extent0 = SKELRT_RANK == 3 ? rows : 1, extent1 = SKELRT_RANK == 3 ? grid1 : rows,          \
               extent2 = cut == 2 ? cols : grid2;                                                         \
    const long first0 = SKELRT_RANK == 3 ? row0 : 0, first1 = SKELRT_RANK == 3 ? 0 : row0 + corner1,      \
               first2 = SKELRT_RANK == 3 || cut != 2 ? 0 : col0 + corner2;
#define ROW_OF(z, y) (SKELRT_RANK == 3 ? (z) : (y))
#define COL_OF(y, x) (SKELRT_RANK == 3 ? (y) * grid2 + (x) : (x))
/* A call may be on some columns of the grid; elements and results begin with the first of these. */
#define IN_COLUMNS(x) ((ulong)(x) >= column0 && (ulong)(x) < column1)

static inline bool skelrt_leaves(long i, long n, long before, long after) { return i < before || i + after >= n; }
static inline bool skelrt_within(long i, long n) { return i >= 0 && i < n; }
static inline long skelrt_wrapped(long i, long n, long reach)
{
    return reach == 0 || skelrt_within(i, n) ? i : (i % n + n) % n;
}
static inline long skelrt_to_nearest(long i, long n) { return i < 0 ? -i : i >= n ? n - 1 - i : 0; }

/* Whether step number t (from 0) leaves the position as it is. */
#define KEEPS(z, y, x, t)                                                                                 \
    ((SKELRT_BORDER == SKELRT_NONE && (skelrt_leaves(z, grid0, SKELRT_BEFORE_Z, SKELRT_AFTER_Z) ||        \
                                       skelrt_leaves(y, grid1, SKELRT_BEFORE_Y, SKELRT_AFTER_Y) ||        \
                                       skelrt_leaves(x, grid2, SKELRT_BEFORE_X, SKELRT_AFTER_X))) ||      \
     (color >= 0 && ((z + y + x + color + t) & 1) != 0))
)CL";

constexpr const char* direct = R"CL(
#ifdef SKELRT_CHECKED
__kernel void skelrt_stencil(CALL_PARAMETERS, SWEEP_PARAMETERS)
{
    CALL_VARIABLES
    SWEEP_VARIABLES
    FOR_MY_PART(i, (ulong)(extent0 * extent1 * extent2), 0) {
        const long x = i % extent2, y = i / extent2 % extent1, z = i / extent2 / extent1;
        const long gz = first0 + z, gy = first1 + y, gx = first2 + x;
        if (!IN_COLUMNS(x)) continue;
#ifdef KEPT_WHERE_IT_LIES
        if (KEEPS(gz, gy, gx, 0)) {
            STORE_AT(ROW_OF(z, y), COL_OF(y, x - column0)) = KEPT_WHERE_IT_LIES;
            continue;
        }
#endif
        STORE_AT(ROW_OF(z, y), COL_OF(y, x - column0)) = HOOD_VALUE;
    }
}
#else
)CL";

constexpr const char* tile = R"CL(
#ifdef SKELRT_CPU /* neighbouring elements belong to one work-item: the inner loop becomes vector instructions */
#define SHARE_VARIABLES
#else
#define SHARE_VARIABLES                                                                                   \
    const int lane_step = (int)lanes, my_lane = (int)get_local_id(0) % lane_step,                         \
              my_line = (int)get_local_id(0) / lane_step, line_step = (int)get_local_size(0) / lane_step;
#endif

/* All z, y, x of a box of m0 * m1 * m2 positions, shared among the group. A box is small: divisions of 64 bits would
   take longer than all else. On a GPU an item goes down its columns, and several of its loads are on their way at once. */
#ifdef SKELRT_CPU
#define FOR_BOX(m0, m1, m2)                                                                               \
    for (int z = 0; z < (m0); ++z)                                                                        \
        for (int y = 0; y < (m1); ++y)                                                                    \
            for (int x = 0; x < (m2); ++x)
#elif SKELRT_RANK == 3
#define FOR_BOX(m0, m1, m2)                                                                               \
    for (int x = my_lane; x < (m2); x += lane_step)                                                       \
        _Pragma("unroll 4") for (int in_box = my_line; in_box < (m0) * (m1); in_box += line_step)         \
            for (int z = in_box / (m1), y = in_box % (m1), once = 1; once; once = 0)
#else
#define FOR_BOX(m0, m1, m2)                                                                               \
    for (int x = my_lane, z = 0; x < (m2); x += lane_step)                                                \
        _Pragma("unroll 4") for (int y = my_line; y < (m1); y += line_step)
#endif

#define TILE_INDEX(z, y, x) ((z) * SKELRT_PITCH_Z + (y) * SKELRT_PITCH_Y + (x))

#define LOAD_TILE(tile, around, find)                                                                     \
    if (whole) {                                                                                          \
        FOR_BOX(m0, m1, m2) tile[TILE_INDEX(z, y, x)] =                                                   \
            around.data[((from0 + z) * extent1 + from1 + y) * extent2 + from2 + x];                       \
    } else {                                                                                              \
        FOR_BOX(m0, m1, m2) tile[TILE_INDEX(z, y, x)] = find(&around, from0 + z, from1 + y, from2 + x);   \
    }

/* What a map under a hood makes of its sources. The constant around the grid is no result of it. */
#define LOAD_MAPPED(tile, inner, find, outside)                                                           \
    if (whole) {                                                                                          \
        FOR_BOX(m0, m1, m2) tile[TILE_INDEX(z, y, x)] = inner;                                            \
    } else {                                                                                              \
        FOR_BOX(m0, m1, m2) {                                                                             \
            if (SKELRT_BORDER != SKELRT_CONSTANT ||                                                       \
                (skelrt_within(first0 + from0 + z, grid0) && skelrt_within(first1 + from1 + y, grid1) &&  \
                 skelrt_within(first2 + from2 + x, grid2)))                                               \
                tile[TILE_INDEX(z, y, x)] = find;                                                         \
            else tile[TILE_INDEX(z, y, x)] = outside;                                                     \
        }                                                                                                 \
    }

__kernel void skelrt_stencil(CALL_PARAMETERS, SWEEP_PARAMETERS, __local ulong2* memory)
{
    CALL_VARIABLES
    SWEEP_VARIABLES
    SHARE_VARIABLES
    __local uchar* rest = (__local uchar*)memory;
    TILE_VARIABLES
    const long blocks1 = (extent1 + block1 - 1) / block1, blocks2 = (extent2 + block2 - 1) / block2;
    const long number = get_group_id(0);
    const long p0 = number / blocks2 / blocks1 * block0, p1 = number / blocks2 % blocks1 * block1,
               p2 = number % blocks2 * block2;
    const int out0 = (int)min((long)block0, extent0 - p0), out1 = (int)min((long)block1, extent1 - p1),
              out2 = (int)min((long)block2, extent2 - p2);

    { /* everything that the first step reads */
        const long from0 = p0 - SKELRT_STEPS * SKELRT_BEFORE_Z, from1 = p1 - SKELRT_STEPS * SKELRT_BEFORE_Y,
                   from2 = p2 - SKELRT_STEPS * SKELRT_BEFORE_X;
        const int m0 = out0 + SKELRT_STEPS * (SKELRT_BEFORE_Z + SKELRT_AFTER_Z),
                  m1 = out1 + SKELRT_STEPS * (SKELRT_BEFORE_Y + SKELRT_AFTER_Y),
                  m2 = out2 + SKELRT_STEPS * (SKELRT_BEFORE_X + SKELRT_AFTER_X);
        const bool whole = from0 >= 0 && from1 >= 0 && from2 >= 0 && from0 + m0 <= extent0 &&
                           from1 + m1 <= extent1 && from2 + m2 <= extent2;
        LOAD_TILES
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    /* nothing that any step sees lies outside of the grid */
    const bool inside = first0 + p0 >= SKELRT_STEPS * SKELRT_BEFORE_Z && first1 + p1 >= SKELRT_STEPS * SKELRT_BEFORE_Y &&
                        first2 + p2 >= SKELRT_STEPS * SKELRT_BEFORE_X &&
                        first0 + p0 + out0 + SKELRT_STEPS * SKELRT_AFTER_Z <= grid0 &&
                        first1 + p1 + out1 + SKELRT_STEPS * SKELRT_AFTER_Y <= grid1 &&
                        first2 + p2 + out2 + SKELRT_STEPS * SKELRT_AFTER_X <= grid2;
    for (int t = 0; t < SKELRT_STEPS; ++t) {
        const int left = SKELRT_STEPS - 1 - t; /* steps that follow */
        const int m0 = out0 + left * (SKELRT_BEFORE_Z + SKELRT_AFTER_Z),
                  m1 = out1 + left * (SKELRT_BEFORE_Y + SKELRT_AFTER_Y),
                  m2 = out2 + left * (SKELRT_BEFORE_X + SKELRT_AFTER_X);
        const long from0 = p0 - left * SKELRT_BEFORE_Z, from1 = p1 - left * SKELRT_BEFORE_Y,
                   from2 = p2 - left * SKELRT_BEFORE_X;
        const int margin = TILE_INDEX((t + 1) * SKELRT_BEFORE_Z, (t + 1) * SKELRT_BEFORE_Y, (t + 1) * SKELRT_BEFORE_X);
        FOR_BOX(m0, m1, m2) {
            const int here = margin + TILE_INDEX(z, y, x);
            long gz = first0 + from0 + z, gy = first1 + from1 + y, gx = first2 + from2 + x;
#if SKELRT_STEPS > 1
            if (inside) {
            } else if (SKELRT_BORDER == SKELRT_CYCLIC) {
                gz = skelrt_wrapped(gz, grid0, SKELRT_BEFORE_Z + SKELRT_AFTER_Z);
                gy = skelrt_wrapped(gy, grid1, SKELRT_BEFORE_Y + SKELRT_AFTER_Y);
                gx = skelrt_wrapped(gx, grid2, SKELRT_BEFORE_X + SKELRT_AFTER_X);
            } else if (!skelrt_within(gz, grid0) || !skelrt_within(gy, grid1) || !skelrt_within(gx, grid2)) {
                next[here] = OUTSIDE;
                continue;
            }
#endif
            if (left == 0 && !IN_COLUMNS(p2 + x)) continue;
            const RESULT value =
#ifdef KEPT_IN_TILE
                KEEPS(gz, gy, gx, t) ? KEPT_IN_TILE :
#endif
                HOOD_VALUE;
#if SKELRT_STEPS > 1
            if (left > 0) {
                next[here] = value;
                continue;
            }
#endif
            STORE_AT(ROW_OF(p0 + z, p1 + y), COL_OF(p1 + y, p2 + x - column0)) = value;
        }
#if SKELRT_STEPS > 1
        if (left == 0) break;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (SKELRT_BORDER == SKELRT_NEAREST && !inside) {
            FOR_BOX(m0, m1, m2) {
                const int dz = (int)skelrt_to_nearest(first0 + from0 + z, grid0),
                          dy = (int)skelrt_to_nearest(first1 + from1 + y, grid1),
                          dx = (int)skelrt_to_nearest(first2 + from2 + x, grid2);
                const int here = margin + TILE_INDEX(z, y, x);
                if (dz != 0 || dy != 0 || dx != 0) next[here] = next[here + TILE_INDEX(dz, dy, dx)];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        SWAP_TILES
#endif
    }
}
#endif /* SKELRT_CHECKED */
)CL";

/// Fills the tile of a map under a hood.
std::string load_text(const recipe& what, const translation& functions, const hood_map& m)
{
    std::string inner, find;
    for (unsigned k = m.first; k < m.slot; ++k) {
        const std::string between = k == m.first ? "" : ", ";
        if (what.slots[k].kind == slot_kind::hood_source) {
            inner += between + fmt::format("a{}.data[((from0 + z) * extent1 + from1 + y) * extent2 + from2 + x]", k);
            find +=
                between + fmt::format("{1}_find(&a{0}, from0 + z, from1 + y, from2 + x)", k, functions.slot_types[k]);
        } else {
            inner += between + fmt::format("s{}", k);
            find += between + fmt::format("s{}", k);
        }
    }
    return fmt::format("LOAD_MAPPED(t{0}, skelrt_mapped{0}({1}), skelrt_mapped{0}({2}), s{0}) ", m.slot, inner, find);
}

/// The words of the kernels that depend on the slots: tiles, and the arguments of the fused function.
std::string hood_macros(const recipe& what, const translation& functions)
{
    std::string tiles, loads, arguments;
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        const auto& type = functions.slot_types[k];
        if (what.slots[k].kind == slot_kind::element)
            arguments += fmt::format("s{0}[ROW_OF(DATA_Z, DATA_Y) * ld{0} + COL_OF(DATA_Y, DATA_X) * st{0}], ", k);
        else if (sees_hood(what.slots[k].kind)) arguments += fmt::format("(({1})HOOD({0})), ", k, type);
        else if (what.slots[k].kind != slot_kind::hood_source) arguments += fmt::format("s{}, ", k);
        if (!sees_hood(what.slots[k].kind)) continue;
        const auto room = fmt::format("(room * sizeof({}_element) + 15) / 16 * 16", type);
        tiles += fmt::format("__local {1}_element* t{0} = (__local {1}_element*)rest; rest += {2}; ", k, type, room);
        if (what.slots[k].kind == slot_kind::hood) loads += fmt::format("LOAD_TILE(t{0}, a{0}, {1}_find) ", k, type);
    }
    for (const hood_map& m : what.hood_maps) loads += load_text(what, functions, m);
    const auto first = first_hood(what);
    std::string text = fmt::format("#define LOAD_TILES {}\n#define now t{}\n", loads, first);
    const bool mapped = what.slots[first].kind == slot_kind::mapped_hood; // then hoods see tiles, of one step
    text += what.stencil.border == border_rule::constant && !mapped
                ? fmt::format("#define OUTSIDE a{}.outside\n", first)
                : "#define OUTSIDE now[here] /* nobody reads it */\n";
    if (keeps_within(what)) {
        text += "#define KEPT_WHERE_IT_LIES EDGE_VALUE\n#define KEPT_IN_TILE EDGE_VALUE\n";
    } else if (what.slots[first].type == what.result) {
        text += "#define KEPT_IN_TILE now[here]\n";
        if (!mapped)
            text += fmt::format("#define KEPT_WHERE_IT_LIES (a{}.data[(z * extent1 + y) * extent2 + x])\n", first);
    }
    text += fmt::format("#if SKELRT_STEPS > 1\n"
                        "#define TILE_VARIABLES {0} __local {1}* next = (__local {1}*)rest;\n"
                        "#define SWAP_TILES __local {1}* swapped = next; next = now; now = swapped;\n"
                        "#else\n#define TILE_VARIABLES {0}\n#endif\n",
                        tiles, functions.slot_types[first] + "_element");
    text += checks_indices(what) ? "#define SKELRT_HERE(k) , &skelrt_here, k\n" : "#define SKELRT_HERE(k)\n";
    text += "#ifdef SKELRT_CHECKED\n"
            "#define HOOD(k) {&a##k, z, y, x SKELRT_HERE(k)}\n#define DATA_Z z\n#define DATA_Y y\n#define DATA_X (x - "
            "column0)\n"
            "#else\n#define HOOD(k) {t##k + here SKELRT_HERE(k)}\n"
            "#define DATA_Z (p0 + z)\n#define DATA_Y (p1 + y)\n#define DATA_X (p2 + x - column0)\n#endif\n";
    const auto value = [&](const char* macro, const char* function) {
        return fmt::format("#define {} AT(ROW_OF(gz, gy - corner1), COL_OF(gy, gx - corner2), "
                           "{}({}(skelrt_index1){{ROW_OF(gz, gy - corner1) * width + COL_OF(gy, gx - corner2)}}, "
                           "(skelrt_index2){{ROW_OF(gz, gy - corner1), COL_OF(gy, gx - corner2)}}, line, plane))\n",
                           macro, function, arguments);
    };
    return text + value("HOOD_VALUE", "skelrt_value") + value("EDGE_VALUE", "skelrt_edge_value");
}

std::size_t halo(const recipe& what, unsigned steps, int axis)
{
    return std::size_t{steps} * (what.stencil.before[axis] + what.stencil.after[axis]);
}

using block_size = std::array<std::size_t, 3>;

/// `outputs` positions for each of 256 work-items, the usual number, one behind the other on the slowest axis.
block_size block_of(const recipe& what, bool matrix, std::size_t outputs)
{
    if (what.stencil.rank == 3) return {outputs, tile_y, tile_x(what)};
    if (matrix) return {1, outputs * (256 / tile_x(what)), tile_x(what)};
    return {1, 1, outputs * 256};
}

std::size_t room_of(const recipe& what, unsigned steps, bool matrix, const block_size& block)
{
    const std::size_t pitch = tile_x(what) + halo(what, steps, 2);
    if (what.stencil.rank == 3) return pitch * (tile_y + halo(what, steps, 1)) * (block[0] + halo(what, steps, 0));
    return matrix ? pitch * (block[1] + halo(what, steps, 1)) : block[2] + halo(what, steps, 2);
}

std::size_t tile_bytes(const recipe& what, unsigned steps, std::size_t room)
{
    std::size_t bytes = 0;
    for (const auto& slot : what.slots)
        if (sees_hood(slot.kind)) bytes += (room * slot.size + 15) / 16 * 16;
    return bytes * (steps > 1 ? 2 : 1);
}

/// Outputs per work-item: as many as let four groups share a unit's local memory, which hides the time of the loads.
block_size best_block(const work& w, const kernels& k, bool matrix)
{
    constexpr std::size_t most_outputs = 16, groups = 4;
    auto best = block_of(w.what, matrix, 1);
    for (std::size_t outputs = 2; outputs <= most_outputs; outputs *= 2) {
        const auto larger = block_of(w.what, matrix, outputs);
        if (tile_bytes(w.what, w.steps, room_of(w.what, w.steps, matrix, larger)) * groups > k.local_bytes) break;
        best = larger;
    }
    return best;
}

void launch_segment(const work& w, std::size_t s, kernels& k, cl_command_queue queue)
{
    const bool volume = w.what.stencil.rank == 3, matrix = w.matrix || volume;
    const auto& where = w.segments[s];
    const block_size n = extents_of(w, where);
    const column_range columns = columns_of(w, where);
    const auto block = best_block(w, k, matrix);
    const auto room = room_of(w.what, w.steps, matrix, block);
    kernel_run run(k, "skelrt_stencil", w.what);
    run.segment_of(w, s, false).number(w.grid[0]).number(w.grid[1]).number(w.grid[2]);
    const cl_int cut = cut_axis(w), color = w.color;
    run.bytes(&cut, sizeof(cut)).bytes(&color, sizeof(color));
    run.number(block[0]).number(block[1]).number(block[2]).number(room).number(matrix ? 32 : k.items(256));
    run.number(w.corner[1]).number(w.corner[2]).number(columns.first).number(columns.first + columns.count);
    const std::size_t local = k.is_cpu ? 1 : k.items(256);
    if (k.checked) {
        const auto groups = divided_up(n[0] * n[1] * n[2], local);
        run.enqueue(queue, {std::min(groups, 32 * k.compute_units) * local, 1}, {local, 1});
        return;
    }
    run.bytes(nullptr, tile_bytes(w.what, w.steps, room));
    const auto groups = divided_up(n[0], block[0]) * divided_up(n[1], block[1]) * divided_up(n[2], block[2]);
    run.enqueue(queue, {groups * local, 1}, {local, 1});
}

} // namespace

bool tile_fits(const recipe& what, unsigned steps, std::size_t local_bytes)
{
    return std::ranges::all_of(std::array{false, true}, [&](bool matrix) {
        const auto block = block_of(what, matrix, 1);
        return tile_bytes(what, steps, room_of(what, steps, matrix, block)) <= local_bytes;
    });
}

unsigned steps_of_tile(const recipe& what, unsigned most, std::size_t local_bytes)
{
    constexpr double most_loads = 2; // for each position that is computed
    const bool matrix = what.stencil.rank > 1;
    const auto block = block_of(what, matrix, 8);
    const auto pays = [&](unsigned steps) {
        double loads = 1;
        for (int a = 0; a < 3; ++a) {
            const auto n = static_cast<double>(block[static_cast<std::size_t>(a)]);
            loads *= (n + static_cast<double>(halo(what, steps, a))) / n;
        }
        return loads <= most_loads && tile_fits(what, steps, local_bytes) &&
               tile_bytes(what, steps, room_of(what, steps, matrix, block)) <= local_bytes;
    };
    unsigned steps = most;
    while (steps > 1 && !pays(steps)) --steps;
    return steps;
}

std::string stencil_options(const recipe& what, unsigned steps, bool checked)
{
    return fmt::format(" -DSKELRT_STEPS={} -DSKELRT_TILE_X={} -DSKELRT_TILE_Y={}{}", steps, tile_x(what), tile_y,
                       checked ? " -DSKELRT_CHECKED" : "");
}

std::string stencil_kernels(const recipe& what, const translation& functions)
{
    return common + hood_macros(what, functions) + direct + tile;
}

void launch_stencil(const work& w, kernels& k, cl_command_queue queue)
{
    for (std::size_t s = 0; s < w.segments.size(); ++s)
        if (w.segments[s].rows != 0 && w.segments[s].cols != 0) launch_segment(w, s, k, queue);
}

} // namespace skelrt::detail::opencl
